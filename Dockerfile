# The service as an image; docs/RUNNING.md describes how to run it. The Node of the base image only runs npm: the service
# runs on the Node of the lockfile.
FROM node:24.14.0-bookworm-slim AS build
WORKDIR /parley
COPY . .
# Install everything to build the web app and the guide, then only what the service needs. The lockfile's Node is a dependency of the
# repository's root, which would also bring the tests' PostgreSQL and the bundler, so it is copied separately.
RUN npm ci
RUN cp --dereference node_modules/.bin/node /node \
  && npm ci --omit=dev --ignore-scripts --workspace packages/server \
  && install -D /node node_modules/.bin/node

FROM debian:bookworm-20260824-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends fontconfig-config fonts-dejavu-core libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --no-create-home parley \
  && install -d -o parley -g parley -m 700 /data
WORKDIR /parley
COPY --from=build /parley/package.json ./
COPY --from=build /parley/node_modules ./node_modules
COPY --from=build /parley/packages/guide/dist ./packages/guide/dist
COPY --from=build /parley/packages/markdown ./packages/markdown
COPY --from=build /parley/packages/office ./packages/office
COPY --from=build /parley/packages/protocol ./packages/protocol
COPY --from=build /parley/packages/server ./packages/server
COPY --from=build /parley/packages/web/dist ./packages/web/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data PATH=/parley/node_modules/.bin:$PATH
# The compiled code of the service: its user reads it, and only root may change it.
RUN install -d -o parley node_modules/.cache \
  && setpriv --reuid=parley --regid=parley --clear-groups node packages/server/compile.ts \
  && chown -R root:root node_modules/.cache \
  && chmod -R a+rX node_modules/.cache
USER parley
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=2 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a shell, so that the process itself receives SIGTERM and drains.
CMD ["node", "packages/server/main.js"]
