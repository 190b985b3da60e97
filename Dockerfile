FROM python:3.13 AS build
COPY . /src
WORKDIR /src
RUN python -m venv /podium \
 && /podium/bin/pip install --no-cache-dir --require-hashes -r requirements-build.lock \
 && /podium/bin/pip install --no-cache-dir --require-hashes --no-build-isolation -r requirements.lock \
 && /podium/bin/pip install --no-cache-dir --no-build-isolation --no-deps .

FROM python:3.13-slim
COPY --from=build /podium /podium
RUN useradd --system --create-home --home-dir /data podium
USER podium
WORKDIR /data
VOLUME /data
ENV PATH=/podium/bin:$PATH PODIUM_CONFIG=/data/podium.toml MALLOC_ARENA_MAX=1
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s CMD ["podium", "status", "--alive"]
CMD ["podium", "run"]
