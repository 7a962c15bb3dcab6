import type { Environment, Variables } from "../../shared/runtime/environment.ts";

/** Variables that a function can do without. */
type Optional = {
  [Name in keyof Variables]: undefined extends Environment<Name>[Name] ? Name : never;
}[keyof Variables];

/** Variables that the functions read when they are loaded, none of which come from this machine. */
const variables = {
  AWS_REGION: "us-east-1",
  AWS_LAMBDA_FUNCTION_NAME: "function",
  EXECUTOR_ARN: "arn:aws:lambda:us-east-1:000000000000:function:executor",
  EXECUTOR_ALIAS: "live",
  TABLE_NAME: "table",
  BUCKET_NAME: "bucket",
  FILES_URL: "https://bucket.s3.us-east-1.amazonaws.com",
  EVENT_BUS_NAME: "events",
  DEPLOYMENT: "build",
  TUNNEL_KEY_SECRET: "tunnel-key",
  IDEMPOTENCY_KEY_SECRET: "idempotency-key",
  DATA_KEY_SECRET: "data-key",
  WEBSOCKET_CALLBACK_URL: "https://socket.test/prod",
  WEBSOCKET_URL: "wss://socket.test/prod",
  BASE_URL: "https://api.test",
  CORS_ORIGINS: "[]",
  CONSOLE_SIGN_IN: "null",
  JWT_ISSUER: "https://identity.test/",
  JWT_AUDIENCE: "build",
  JWT_JWKS_URL: "https://identity.test/jwks.json",
  JWT_MAX_AGE_SECONDS: "43200",
  SERVICE_VERSION: "1.0.0",
  LOG_LEVEL: "info",
  VANISHED_MACHINE_GRACE_SECONDS: "120",
  SESSION_IDLE_SECONDS: "3600",
  RATE_LIMIT_API_KEY: "0",
  RATE_LIMIT_ORGANIZATION: "0",
  ORGANIZATION_CALLS_MAX: "200",
  ORGANIZATION_EXECUTIONS_MAX: "50",
  ORGANIZATION_SENDS_MAX: "20",
  ATTACHMENT_DAYS: "90",
  STEP_DAYS: "30",
  AUDIT_DAYS: "400",
  REQUEST_LOG_DAYS: "7",
  RUN_DAYS: "0",
  SET_ASIDE_QUEUE_URL: "https://queue.test/set-aside",
  WEBHOOK_DELIVERER_ARN: "arn:aws:lambda:us-east-1:000000000000:function:webhook-deliverer",
  WEBHOOK_SENDER_ARN: "arn:aws:lambda:us-east-1:000000000000:function:webhook-sender",
  PLATFORM_TOKENS_PER_DAY: "0",
  MODEL_ENDPOINTS: "{}",
  WAITS_MAX: "100",
  LOOKS_MAX: "56",
  KEY_CONNECTIONS_MAX: "1000",
  PING_SECONDS: "300",
} satisfies Readonly<
  Record<Exclude<keyof Variables, Optional | "LAMBDA_TASK_ROOT" | "WEBHOOKS_TO_LOOPBACK">, string>
>;

export const functionEnvironment = {
  ...variables,
  AWS_ACCESS_KEY_ID: "none",
  AWS_SECRET_ACCESS_KEY: "none",
};
