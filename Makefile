# Sobre Abierto. `make` alone lists the targets.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo up test nocturno muertes lint bench limpiar

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint deploy/restricciones.txt
PYTEST_OPCIONES ?= -n 2 --dist loadfile
VECES ?= 50
# No library of ours phones home, whichever way it is started.
export DO_NOT_TRACK := 1
export PREFECT_SERVER_ANALYTICS_ENABLED := false

help: ## Lista de objetivos
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The stamps depend on the two files that say what is installed: nothing is done again until one changes.
.venv/.listo-base: pyproject.toml deploy/restricciones.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hace falta Python 3.11 o posterior (PYTHON=…)")'
	@echo "Preparando .venv…"
	@$(PYTHON) -m venv .venv
	@$(PIP) --editable .
	@touch $@

.venv/.listo-dev: .venv/.listo-base
	@echo "Instalando las herramientas de desarrollo…"
	@$(PIP) --editable '.[dev]'
	@touch $@

setup: .venv/.listo-dev ## Prepara .venv con todo, también las herramientas de desarrollo

# exec: the command takes the place of the recipe's shell, so Ctrl-C and SIGTERM reach it directly.
demo: .venv/.listo-base ## Demostración de principio a fin con la muestra incluida; queda en datos/demo
	@SOBRE_DATOS=datos/demo exec $(BIN)/sobre demo

up: .venv/.listo-base ## Sirve la aplicación en 127.0.0.1:8080 (SOBRE_PUERTO); se para con Ctrl-C
	@exec $(BIN)/sobre arriba

test: .venv/.listo-dev ## Todas las pruebas
	@exec $(BIN)/python -m pytest $(PYTEST_OPCIONES) -m "not nocturno"

nocturno: .venv/.listo-dev ## Pruebas largas: propiedades a fondo, mutaciones y caídas
	@exec $(BIN)/python -m pytest -m nocturno

muertes: .venv/.listo-dev ## Mata la cola y el motor a medias, VECES veces seguidas cada prueba (50)
	@exec $(BIN)/python -m pytest -x -m "muerte and not nocturno" --veces $(VECES)

lint: .venv/.listo-dev ## Estilo, tipos y plantas (ruff, mypy, import-linter)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.listo-dev ## Tabla de rendimiento (ESCRIBIR=1 la guarda en docs/rendimiento.md; EXIGIR=1 falla si algo no llega)
	@exec $(BIN)/python -m bench $(if $(ESCRIBIR),--escribir) $(if $(EXIGIR),--exigir)

limpiar: ## Borra .venv y cachés; los datos no se tocan
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
