"""`sobre licitacion`: one tender as it stands now, and searching among all."""

from __future__ import annotations

import click

from app.cli.comun import base_licitaciones, escribir_json, opcion_json
from app.cli.licitacion_buscar import buscar
from dominios.licitaciones.radar.consulta import Documento, VersionVista, localizar
from dominios.licitaciones.radar.consulta import ver as ver_documento
from dominios.licitaciones.radar.consulta import versiones as ver_versiones
from nucleo.reloj import reloj_del_sistema


@click.group(help="Consulta licitaciones: una por su id, o buscando.")
def licitacion() -> None:
    """Root of the commands about tenders."""


licitacion.add_command(buscar)


@licitacion.command(help="Muestra una licitación: ID es el id de Atom completo o su número final.")
@click.argument("identificador", metavar="ID")
@click.option("--versiones", "con_versiones", is_flag=True, help="Añade los cambios de cada versión.")
@opcion_json
def ver(identificador: str, con_versiones: bool, en_json: bool) -> None:
    """One tender."""
    with base_licitaciones() as con:
        licitacion_id = localizar(con, identificador)
        documento = ver_documento(con, licitacion_id, reloj_del_sistema)
        vistas = ver_versiones(con, licitacion_id) if con_versiones else None
    if en_json:
        escribir_json(_en_json(documento, vistas))
    else:
        _mostrar(documento, vistas or ())


def _en_json(documento: Documento, vistas: tuple[VersionVista, ...] | None) -> dict[str, object]:
    derivado: dict[str, object] = documento.derivado.model_dump(mode="json")
    if vistas is not None:
        derivado["cambios"] = [v.model_dump(mode="json", exclude={"xml_octetos"}) for v in vistas]
    return {
        "entrada": documento.entrada,
        "derivado": derivado,
        "detalle": documento.detalle.model_dump(mode="json"),
    }


def _mostrar(documento: Documento, vistas: tuple[VersionVista, ...]) -> None:
    entrada, derivado = documento.entrada, documento.derivado
    abierta = "abierta" if derivado.es_oportunidad_abierta else "no admite ofertas"
    for nombre, valor in (
        ("Objeto", entrada["objeto"]),
        ("Expediente", entrada["expediente"]),
        ("Órgano", entrada["organo"]["nombre"]),
        ("Estado", f"{entrada['estado']} · {derivado.desenlace} · {abierta}"),
        ("Presupuesto sin IVA", derivado.presupuesto_efectivo),
        ("Valor estimado", entrada["valor_estimado"]),
        ("CPV", ", ".join(entrada["cpv"])),
        ("Plazo (hora local)", entrada["plazo_ofertas_local"]),
        ("Publicada", derivado.fecha_publicacion),
        ("Enlace", entrada["link"]),
        ("Avisos", ", ".join(derivado.avisos)),
    ):
        click.echo(f"{nombre}: {valor or 'no consta'}")
    for vista in vistas:
        campos = ", ".join(c.campo for c in vista.cambios) or "nada material"
        click.echo(f"  {vista.updated}  {vista.estado or '—'}  {campos}")
