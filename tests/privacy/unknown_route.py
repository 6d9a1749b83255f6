"""An address with a part of which nobody has said what stands there."""

from django.urls import path

from .leaky_views import leak_in_body

urlpatterns = [path("leaks/<str:unheard>/", leak_in_body)]
