/** What the functions read when they are loaded, none of it of this machine. */
export const functionEnvironment = {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "none",
  AWS_SECRET_ACCESS_KEY: "none",
  TABLE_NAME: "table",
  BUCKET_NAME: "bucket",
  DEPLOYMENT: "bench",
  SIGNING_KEY_SECRET: "signing-key",
  WEBSOCKET_CALLBACK_URL: "https://socket.test/prod",
  WEBSOCKET_URL: "wss://socket.test/prod",
  JWT_ISSUER: "https://identity.test/",
  JWT_AUDIENCE: "bench",
  JWT_JWKS_URL: "https://identity.test/jwks.json",
  SERVICE_VERSION: "1.0.0",
  LOG_LEVEL: "info",
} as const;
