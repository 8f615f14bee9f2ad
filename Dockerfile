# The companion in a container: slim, from the lock, not as root, the camera passed in (docs/install.md).
# The base is named by its tag, so that each build gets its newest fixes. For the same image again name it by digest:
# docker build --build-arg BASE=python@sha256:...
ARG BASE=python:3.12-slim-bookworm
FROM $BASE AS build
WORKDIR /src
# With LOCK=requirements-hall.lock the image can also take part in a hall, and keep one.
ARG LOCK=requirements.lock
COPY requirements.lock requirements-hall.lock ./
RUN python -m venv /opt/alea \
 && /opt/alea/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r "$LOCK"
COPY . .
RUN /opt/alea/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM $BASE
# The group video may use cameras, dialout boards of LEDs. Matches lie in the first volume, settings and PIN in the second.
RUN useradd --create-home --uid 1000 --groups video,dialout alea \
 && install --directory --owner alea --group alea /home/alea/.local/share/alea-companion /home/alea/.config/alea-companion
COPY --from=build /opt/alea /opt/alea
ENV PATH=/opt/alea/bin:$PATH PYTHONUNBUFFERED=1
USER alea
WORKDIR /home/alea
VOLUME ["/home/alea/.local/share/alea-companion", "/home/alea/.config/alea-companion"]
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
ENTRYPOINT ["companion"]
CMD ["serve", "--host", "0.0.0.0"]
