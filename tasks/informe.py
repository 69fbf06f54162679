"""What a run leaves to be read in the engine's panel: a table of counts and the alarms."""

from __future__ import annotations

from collections.abc import Sequence

from prefect import task
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact
from prefect.cache_policies import NO_CACHE

Celda = str | int | float | None


@task(name="publicar tabla", task_run_name="publicar tabla {clave}", cache_policy=NO_CACHE, retries=1)
async def publicar_tabla(clave: str, descripcion: str, filas: Sequence[dict[str, Celda]]) -> None:
    """A table artifact; `clave` is lower case with hyphens and keeps its history across runs."""
    await acreate_table_artifact(
        table=[dict(f) for f in filas],
        key=clave,
        description=descripcion,
    )


@task(name="publicar alarmas", task_run_name="publicar alarmas {clave}", cache_policy=NO_CACHE, retries=1)
async def publicar_alarmas(clave: str, alarmas: Sequence[str]) -> None:
    """A Markdown list of what a person should look at, or the sentence that there is nothing."""
    lista = "\n".join(f"- {a}" for a in alarmas) or "Sin alarmas."
    await acreate_markdown_artifact(markdown=f"## Alarmas\n\n{lista}\n", key=clave)
