"""prefect.yaml read as what it is: a closed, validated list of what runs and when."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

import yaml
from prefect import Flow
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
from prefect.schedules import Cron, Interval, Schedule
from prefect.types.entrypoint import EntrypointType
from pydantic import AwareDatetime, BaseModel, ConfigDict, StringConstraints, ValidationError

import flows
from nucleo.errores import ErrorConfiguracion


class _Parte(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Horario(_Parte):
    """When it runs by itself: every so many seconds, or a cron line."""

    slug: str
    timezone: str
    interval: int | None = None
    anchor_date: AwareDatetime | None = None
    cron: str | None = None

    def de_prefect(self) -> Schedule:
        """The same, as Prefect wants it."""
        if self.interval is not None:
            ancla: datetime | None = self.anchor_date
            return Interval(self.interval, anchor_date=ancla, timezone=self.timezone, slug=self.slug)
        return Cron(self.cron or "", timezone=self.timezone, slug=self.slug)


class Limite(_Parte):
    """How many runs at once, and what happens to one too many."""

    limit: int
    collision_strategy: Literal["CANCEL_NEW", "ENQUEUE"]


class Pozo(_Parte):
    """The work pool that runs it."""

    name: str


class Despliegue(_Parte):
    """One deployment of prefect.yaml."""

    name: str
    description: str
    tags: tuple[str, ...] = ()
    entrypoint: Annotated[str, StringConstraints(pattern=r"^flows/\w+\.py:\w+$")]
    schedules: tuple[Horario, ...] = ()
    concurrency_limit: Limite
    work_pool: Pozo

    async def registrar(self) -> None:
        """Create or update it in the Prefect server.

        The entry point becomes a module path: the code is the installed one, whatever folder the run starts in.
        """
        despliegue = await self._flow().ato_deployment(
            self.name,
            description=self.description,
            tags=list(self.tags),
            schedules=[h.de_prefect() for h in self.schedules],
            concurrency_limit=ConcurrencyLimitConfig(
                limit=self.concurrency_limit.limit,
                collision_strategy=ConcurrencyLimitStrategy(self.concurrency_limit.collision_strategy),
            ),
            entrypoint_type=EntrypointType.MODULE_PATH,
            work_pool_name=self.work_pool.name,
        )
        await despliegue.aapply()

    def _flow(self) -> Flow[..., object]:
        modulo, funcion = self.entrypoint.removesuffix(".py").replace(".py:", ":").split(":")
        encontrado: Flow[..., object] = getattr(import_module(modulo.replace("/", ".")), funcion)
        return encontrado


class _Documento(_Parte):
    name: str
    deployments: tuple[Despliegue, ...]


def leer_despliegues(fichero: Path) -> tuple[Despliegue, ...]:
    """The deployments of a prefect.yaml. Raises ErrorConfiguracion naming the field that is wrong."""
    try:
        return _Documento.model_validate(yaml.safe_load(fichero.read_text())).deployments
    except OSError as error:
        raise ErrorConfiguracion(f"No se puede leer {fichero}: {error.strerror}.") from error
    except yaml.YAMLError as error:
        raise ErrorConfiguracion(f"{fichero} no es YAML válido: {error}") from error
    except ValidationError as error:
        primero = error.errors()[0]
        campo = ".".join(str(p) for p in primero["loc"])
        raise ErrorConfiguracion(f"{fichero}: {campo}: {primero['msg']}") from error


def prefect_yaml() -> Path:
    """The file of this installation: beside the installed `flows` folder."""
    return Path(flows.__file__).resolve().parent.parent / "prefect.yaml"
