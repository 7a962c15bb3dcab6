/**
 * The partitions of the table by kind, as a policy's `dynamodb:LeadingKeys` names them: what `keys.ts` spells, with `*`
 * for each id. `infra` grants by these, so this file imports nothing.
 *
 * A `*` of a policy goes past a `#`, but no id has one: each key matches exactly one pattern, which a test shows for all.
 */
export const keyPatterns = {
  machine: "ORG#*#MACHINE#*",
  machineCount: "ORG#*#COUNT#MACHINE",
  fingerprint: "ORG#*#FINGERPRINT#*",
  idle: "ORG#*#IDLE*",
  connection: "ORG#*#CONNECTION#*",
  callsUnderWay: "ORG#*#CALLS",
  connectionCount: "ORG#*#COUNT#CONNECTION",
  pool: "ORG#*#POOL#*",
  poolCount: "ORG#*#COUNT#POOL",
  poolName: "ORG#*#POOL_NAME#*",
  workflow: "ORG#*#WORKFLOW#*",
  workflowCount: "ORG#*#COUNT#WORKFLOW",
  tag: "ORG#*#TAG#*",
  tagName: "ORG#*#TAG_NAME#*",
  tagGroup: "ORG#*#TAG_GROUP#*",
  tagGroupName: "ORG#*#TAG_GROUP_NAME#*",
  limit: "ORG#*#LIMIT#*",
  executions: "ORG#*#EXECUTIONS",
  run: "ORG#*#RUN#*",
  runCount: "ORG#*#COUNT#RUN",
  runSecret: "ORG#*#RUN_SECRET#*",
  session: "ORG#*#SESSION#*",
  queue: "ORG#*#QUEUE#*",
  poolSets: "ORG#*#POOL_SETS",
  left: "ORG#*#LEFT",
  attachment: "ORG#*#ATTACHMENT#*",
  attachmentCount: "ORG#*#COUNT#ATTACHMENT",
  trajectory: "ORG#*#TRAJECTORY#*",
  trajectoryCount: "ORG#*#COUNT#TRAJECTORY",
  provider: "ORG#*#PROVIDER#*",
  platformTokens: "ORG#*#PLATFORM_TOKENS",
  modelConfiguration: "ORG#*#MODEL_CONFIGURATIONS",
  idempotency: "ORG#*#IDEMPOTENCY#*",
  apiKey: "KEY#*",
  keyUse: "KEY_USE#*",
  revocation: "REVOKED#*",
  socket: "SOCKET#*",
  ticket: "TICKET#*",
  rate: "RATE#*",
  mailbox: "MAILBOX#*",
  sweepCursor: "SWEEP#*",
  usage: "ORG#*#USAGE",
  tableId: "TABLE",
  probe: "PROBE",
} as const;

export type KeyKind = keyof typeof keyPatterns;
