"""A route with a parameter that has no sample value."""

from django.urls import path

from .leaky_views import leak_in_body

urlpatterns = [path("leaks/<str:unheard>/", leak_in_body)]
