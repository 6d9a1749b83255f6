"""Finds what the apps declare under an agreed module name, as Django's admin finds `admin.py`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import module_has_submodule

Declaration = TypeVar("Declaration")


@cache
def import_app_modules(module_name: str) -> tuple[ModuleType, ...]:
    """Import `<app>.<module_name>` of every app in PROJECT_APPS that has one, lowest room first."""
    return tuple(
        import_module(f"{app_name}.{module_name}")
        for app_name in settings.PROJECT_APPS
        if (module := apps.get_app_config(app_name).module) and module_has_submodule(module, module_name)
    )


def collect_declarations(
    module_name: str, attribute: str, declared_type: type[Declaration]
) -> list[Declaration]:
    """The values `attribute` of those modules: each one `declared_type` or a tuple of such, joined.

    Raises ImproperlyConfigured for a module without the attribute, or with a value of another type.
    """
    declarations: list[Declaration] = []
    for module in import_app_modules(module_name):
        value = getattr(module, attribute, None)
        for declaration in value if isinstance(value, tuple) else (value,):
            if not isinstance(declaration, declared_type):
                raise ImproperlyConfigured(
                    f"{module.__name__}.{attribute} is to hold {declared_type.__name__}, not {declaration!r}"
                )
            declarations.append(declaration)
    return declarations
