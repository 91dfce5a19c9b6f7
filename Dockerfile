# The service as an image: docs/RUNNING.md tells how it is run. Any npm installs it; what it runs on is the Node of the
# lockfile, as everywhere.
FROM node:24.14.0-bookworm-slim AS build
WORKDIR /parley
COPY . .
# Once with all that builds the web app, then with what the service needs alone, and the Node of the lockfile beside it:
# the repository's own dependencies, of which it is one, would bring the tests' PostgreSQL and the bundler along.
RUN npm ci
RUN cp --dereference node_modules/.bin/node /node \
  && npm ci --omit=dev --ignore-scripts --workspace packages/server \
  && install -D /node node_modules/.bin/node

FROM debian:bookworm-20260824-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --no-create-home parley \
  && install -d -o parley -g parley -m 700 /data
WORKDIR /parley
COPY --from=build /parley/package.json ./
COPY --from=build /parley/node_modules ./node_modules
COPY --from=build /parley/packages/protocol ./packages/protocol
COPY --from=build /parley/packages/server ./packages/server
COPY --from=build /parley/packages/web/dist ./packages/web/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data PATH=/parley/node_modules/.bin:$PATH
USER parley
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=2 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell between: the process itself gets the SIGTERM and drains.
CMD ["node", "packages/server/main.ts"]
