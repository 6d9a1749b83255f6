"""An address with a part of which nobody has said what stands there."""

from django.urls import path

from .leaky import body

urlpatterns = [path("leaks/<str:unheard>/", body)]
