# One image for every role; ROLES says which. It brings no PostgreSQL: set DATABASE_URL (compose.yaml does).

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The optional packages are a Node and a PostgreSQL for machines that have none; the image has the first and needs no second.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY clients ./clients
COPY src ./src
# Comes with the base image; nothing below /app belongs to it, so the service cannot change itself.
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/sponsorgate.js"]
CMD ["start"]
