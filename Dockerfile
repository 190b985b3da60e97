FROM python:3.13-slim
RUN useradd --system --create-home --home-dir /data podium
COPY . /src
RUN pip install --no-cache-dir -c /src/requirements.lock /src && rm -rf /src
USER podium
WORKDIR /data
VOLUME /data
ENV PODIUM_CONFIG=/data/podium.toml
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s CMD ["podium", "status", "--alive"]
CMD ["podium", "run"]
