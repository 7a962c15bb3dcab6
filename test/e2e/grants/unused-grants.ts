/** Grants for situations that no end-to-end test can cause. Unit and integration tests cover them. */
interface UnusedGrants {
  readonly since: string;
  readonly reason: string;
  /** Function, action, and the pattern of leading keys or the resource. */
  readonly grants: readonly string[];
}

export const unusedGrants: readonly UnusedGrants[] = [
  {
    since: "2026-11-27",
    reason:
      "a run that is ended by others than its caller and executor, where the runs of all organizations have a limit",
    grants: ["executionswatch", "executor", "machines"].map(
      (name) => `${name} dynamodb:UpdateItem EXECUTIONS#*`,
    ),
  },
  {
    since: "2026-11-27",
    reason: "a recording that nobody finishes, and what is removed of one a day after its end",
    grants: [
      "sweeper dynamodb:BatchGetItem ORG#*#RECORDING#*",
      "sweeper dynamodb:UpdateItem ORG#*#RECORDING#*",
      "sweeper dynamodb:DeleteItem ORG#*#RECORDING#*",
      "sweeper dynamodb:Query ORG#*#RECORDING#*",
    ],
  },
  {
    since: "2026-11-27",
    reason: "a run of a schedule for a machine or pools, or one that is refused, as those of POST /v1/runs",
    grants: [
      "schedules dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "schedules dynamodb:ConditionCheckItem ORG#*#POOL#*",
      "schedules dynamodb:UpdateItem ORG#*#POOL_SETS",
      "schedules dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "schedules s3:DeleteObject das-main-data-files/attachments/*",
      "schedules s3:ListBucket das-main-data-files",
      "scheduler s3:ListBucket das-main-data-files",
      "sweeper dynamodb:BatchGetItem ORG#*#SCHEDULE#*",
    ],
  },
  {
    since: "2026-11-27",
    reason: "an assistant's key holds nothing that is encrypted",
    grants: ["mcp secretsmanager:GetSecretValue secret:das-main-data-DataKey-4f99fe"],
  },
  {
    since: "2026-11-27",
    reason: "a held run whose resumption could not wake the executor",
    grants: [
      "sweeper lambda:SendDurableExecutionCallbackSuccess function:das-main-service-executorFunction41F6AFEB:*",
    ],
  },
  {
    since: "2026-11-24",
    reason: "a line of the request log that is read minutes after its call, when newer ones are there",
    grants: ["logs dynamodb:GetItem ORG#*#REQUEST_LOG"],
  },
  {
    since: "2026-11-22",
    reason: "runs that expire: the setting runDays is off",
    grants: ["sweeper dynamodb:UpdateItem ORG#*#COUNT#RUN"],
  },
  {
    since: "2026-11-22",
    reason: "a model that is asked on the platform's own key, of which the tests' stack gives no tokens",
    grants: [
      "executor dynamodb:GetItem ORG#*#PLATFORM_TOKENS",
      "executor dynamodb:UpdateItem ORG#*#PLATFORM_TOKENS",
      "executor secretsmanager:GetSecretValue secret:das-platform/main/*",
    ],
  },
  {
    since: "2026-11-22",
    reason: "a connection that is gone, or is replaced, just as it is called or closed",
    grants: [
      "machinehealth dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "machinehealth dynamodb:UpdateItem ORG#*#MACHINE#*",
      "machines dynamodb:GetItem ORG#*#CONNECTION#*",
      "machines dynamodb:UpdateItem ORG#*#CONNECTION#*",
      "machines dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "computer dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "connections dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "tunnel dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "projector dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "projector dynamodb:PutItem ORG#*#CONNECTION#*",
      "sweeper dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
    ],
  },
  {
    since: "2026-11-22",
    reason: "a run that moves on, ends or fails between being read and being written",
    grants: [
      "machines dynamodb:GetItem ORG#*#RUN#*",
      "machines dynamodb:DeleteItem ORG#*#QUEUE#*",
      "machines dynamodb:ConditionCheckItem ORG#*#RUN#*",
      "projector dynamodb:BatchGetItem ORG#*#RUN#*",
      "projector dynamodb:ConditionCheckItem ORG#*#RUN#*",
      "projector dynamodb:PutItem ORG#*#SESSION#*",
      "matcher dynamodb:PutItem ORG#*#QUEUE#*",
      "matcher dynamodb:PutItem ORG#*#RUN#*",
      "matcher dynamodb:PutItem ORG#*#SESSION#*",
      "matcher dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
    ],
  },
  {
    since: "2026-11-22",
    reason:
      "a run that is asked for while a machine is free that it is about to get, or while its organization is full",
    grants: ["following dynamodb:BatchGetItem ORG#*#EXECUTIONS"],
  },
  {
    since: "2026-11-22",
    reason: "an execution that fails while its run is in a session",
    grants: [
      "executionswatch dynamodb:PutItem ORG#*#SESSION#*",
      "executionswatch dynamodb:UpdateItem ORG#*#SESSION#*",
    ],
  },
  {
    since: "2026-11-22",
    reason: "the last of a request's runs with sensitive values is retried; whether it is the last is timing",
    grants: [
      "runs dynamodb:BatchGetItem ORG#*#RUN_SECRET#*",
      "runs dynamodb:DeleteItem ORG#*#RUN_SECRET#*",
      "projector dynamodb:UpdateItem ORG#*#RUN_SECRET#*",
      "sweeper dynamodb:UpdateItem ORG#*#RUN_SECRET#*",
    ],
  },
  {
    since: "2026-11-22",
    reason: "work under an Idempotency-Key that fails after its lease, or a deletion under one",
    grants: [
      "driver dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "pools dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "providercredentials dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "runs dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "trajectories dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "connections dynamodb:PutItem ORG#*#IDEMPOTENCY#*",
      "connections dynamodb:GetItem ORG#*#IDEMPOTENCY#*",
      "connections secretsmanager:GetSecretValue secret:das-main-data-IdempotencyKey-f32626",
      "connections secretsmanager:GetSecretValue secret:das-main-data-DataKey-4f99fe",
      "following secretsmanager:GetSecretValue secret:das-main-data-DataKey-4f99fe",
      "logs secretsmanager:GetSecretValue secret:das-main-data-DataKey-4f99fe",
    ],
  },
  {
    since: "2026-11-23",
    reason: "a copy of a workflow that has a tag of a group, or that is given a tag while it is made",
    grants: [
      "trajectories dynamodb:BatchGetItem ORG#*#TAG_GROUP#*",
      "trajectories dynamodb:UpdateItem ORG#*#TAG_GROUP#*",
      "trajectories dynamodb:DeleteItem ORG#*#TAG#*",
    ],
  },
  {
    since: "2026-11-23",
    reason: "images: a run whose prompt names one, and an object of one that no row names",
    grants: [
      "executor dynamodb:BatchGetItem ORG#*#PROMPT_IMAGES",
      "sweeper dynamodb:GetItem ORG#*#PROMPT_IMAGES",
    ],
  },
  {
    since: "2026-11-22",
    reason: "an object whose row's write failed, or that is gone before it is read",
    grants: [
      "computer s3:DeleteObject das-main-data-files/tunnel/*",
      "runattachments s3:DeleteObject das-main-data-files/attachments/*",
      "trajectories s3:DeleteObject das-main-data-files/spill/*",
      "following s3:ListBucket das-main-data-files",
      "runs s3:ListBucket das-main-data-files",
      "trajectories s3:ListBucket das-main-data-files",
      "matcher s3:ListBucket das-main-data-files",
      "sweeper s3:DeleteObject das-main-data-files/attachments/*",
      "sweeper s3:DeleteObject das-main-data-files/spill/*",
      "sweeper s3:DeleteObject das-main-data-files/steps/*",
      "sweeper s3:GetObject das-main-data-files/spill/*",
      "sweeper s3:GetObjectTagging das-main-data-files/attachments/*",
      "sweeper s3:GetObjectTagging das-main-data-files/spill/*",
      "sweeper s3:GetObjectTagging das-main-data-files/steps/*",
    ],
  },
  {
    since: "2026-11-24",
    reason: "webhooks beyond an organization's or an endpoint's share, which the tests' own do not reach",
    grants: [
      "webhooks dynamodb:Query ORG#*#WEBHOOK_SENDS",
      "webhooks dynamodb:PutItem ORG#*#WEBHOOK_SENDS",
      "webhooks dynamodb:DeleteItem ORG#*#WEBHOOK_SENDS",
      "projector dynamodb:Query ORG#*#WEBHOOK_SENDS",
      "projector dynamodb:PutItem ORG#*#WEBHOOK_SENDS",
      "projector dynamodb:DeleteItem ORG#*#WEBHOOK_SENDS",
      "webhooksender dynamodb:Query ORG#*#WEBHOOK_SENDS",
      "webhooksender dynamodb:DeleteItem ORG#*#WEBHOOK_SENDS",
      "webhookdeliverer dynamodb:Query ORG#*#WEBHOOK_SENDS",
      "webhookdeliverer dynamodb:PutItem ORG#*#WEBHOOK_SENDS",
      "webhookdeliverer dynamodb:DeleteItem ORG#*#WEBHOOK_SENDS",
      "sweeper dynamodb:BatchGetItem ORG#*#WEBHOOK_SENDS",
      "sweeper dynamodb:Query ORG#*#WEBHOOK_SENDS",
      "sweeper dynamodb:UpdateItem ORG#*#WEBHOOK_SENDS",
      "sweeper dynamodb:DeleteItem ORG#*#WEBHOOK_SENDS",
    ],
  },
  {
    since: "2026-11-27",
    reason: "what the release before does beside this one",
    grants: [
      "following dynamodb:GetItem ORG#*#EXECUTIONS",
      ...["computer", "executor", "machinehealth", "machines"].map(
        (name) => `${name} dynamodb:PutItem ORG#*#CONNECTION#*`,
      ),
      "webhookdeliverer dynamodb:BatchGetItem ORG#*#WEBHOOK_DELIVERY#*",
      "webhookdeliverer dynamodb:BatchGetItem ORG#*#WEBHOOK_MESSAGE#*",
      ...["projector", "webhooks"].map(
        (name) =>
          `${name} lambda:InvokeFunction function:das-main-service-webhookdelivererFunction7BE3D083:live`,
      ),
    ],
  },
  {
    since: "2026-11-27",
    reason: "a desktop that does not respond, or whose socket is gone while it is called",
    grants: ["computer", "executor", "machinehealth"].map(
      (name) => `${name} dynamodb:UpdateItem ORG#*#CONNECTION#*`,
    ),
  },
  {
    since: "2026-11-27",
    reason: "a delivery's execution that an earlier release started",
    grants: [
      "webhookdeliverer lambda:InvokeFunction function:das-main-service-webhookdelivererFunction7BE3D083:live",
    ],
  },
  {
    since: "2026-11-27",
    reason: "an execution that was not begun for a minute, or has been under way for five",
    grants: [
      "sweeper lambda:GetDurableExecution function:das-main-service-executorFunction41F6AFEB:*",
      "sweeper lambda:ListDurableExecutionsByFunction function:das-main-service-executorFunction41F6AFEB",
    ],
  },
  {
    since: "2026-11-22",
    reason: "what is left of a crash for hours or days, or is due only after minutes",
    grants: [
      "workflowtags dynamodb:DeleteItem ORG#*#TAG_GROUP#*",
      "projector dynamodb:UpdateItem ORG#*#ATTACHMENT#*",
      "projector dynamodb:UpdateItem ORG#*#COUNT#ATTACHMENT",
      "sweeper dynamodb:BatchGetItem ORG#*#CONNECTION#*",
      "sweeper dynamodb:BatchGetItem ORG#*#IDLE*",
      "sweeper dynamodb:BatchGetItem ORG#*#MODEL_CONFIGURATIONS",
      "sweeper dynamodb:BatchGetItem ORG#*#PROVIDER#*",
      "sweeper dynamodb:ConditionCheckItem ORG#*#RUN#*",
      "sweeper dynamodb:ConditionCheckItem ORG#*#SESSION#*",
      "sweeper dynamodb:DeleteItem REVOKED#*",
      "sweeper dynamodb:GetItem ORG#*#PROVIDER#*",
      "sweeper dynamodb:PutItem ORG#*#IDLE*",
      "sweeper dynamodb:PutItem ORG#*#MACHINE#*",
      "sweeper dynamodb:PutItem ORG#*#QUEUE#*",
      "sweeper dynamodb:PutItem ORG#*#SESSION#*",
      "sweeper dynamodb:UpdateItem ORG#*#COUNT#CONNECTION",
      "sweeper dynamodb:UpdateItem ORG#*#POOL#*",
      "sweeper dynamodb:UpdateItem ORG#*#POOL_SETS",
    ],
  },
  {
    since: "2026-11-22",
    reason:
      "a round in which an organization has used up its share, which depends on how its events are batched",
    grants: ["matcher dynamodb:PutItem ORG#*#LEFT"],
  },
  {
    since: "2026-11-22",
    reason:
      "a run with what the tests' own have not: inherited secrets, a session, a large output, 100 steps, no pictures, a machine or trajectory that changes just as it ends",
    grants: [
      "computer dynamodb:BatchGetItem ORG#*#POOL#*",
      "computer secretsmanager:GetSecretValue secret:das/main/*/machine/*",
      "computer secretsmanager:GetSecretValue secret:das/main/*/pool/*",
      "trajectories dynamodb:DeleteItem ORG#*#WORKFLOW#*",
      "trajectories s3:GetObject das-main-data-files/steps/*",
      "executor dynamodb:BatchGetItem ORG#*#POOL#*",
      "executor dynamodb:ConditionCheckItem ORG#*#MACHINE#*",
      "executor dynamodb:ConditionCheckItem ORG#*#WORKFLOW#*",
      "executor dynamodb:GetItem ORG#*#CONNECTION#*",
      "executor dynamodb:GetItem ORG#*#MACHINE#*",
      "executor dynamodb:PutItem ORG#*#SESSION#*",
      "executor dynamodb:PutItem ORG#*#WORKFLOW#*",
      "executor dynamodb:UpdateItem ORG#*#TRAJECTORY#*",
      "executor lambda:GetDurableExecutionState function:das-main-service-executorFunction41F6AFEB:*",
      "executor lambda:InvokeFunction function:das-main-service-executorFunction41F6AFEB:live",
      "executor s3:DeleteObject das-main-data-files/steps/*",
      "executor s3:DeleteObject das-main-data-files/tunnel/*",
      "executor s3:GetObject das-main-data-files/spill/*",
      "executor s3:ListBucket das-main-data-files",
      "executor s3:PutObject das-main-data-files/spill/*",
      "executor s3:PutObjectTagging das-main-data-files/attachments/*",
      "executor s3:PutObjectTagging das-main-data-files/spill/*",
      "executor s3:PutObject das-main-data-files/tunnel/*",
      "executor secretsmanager:GetSecretValue secret:das/main/*/machine/*",
      "executor secretsmanager:GetSecretValue secret:das/main/*/pool/*",
    ],
  },
  {
    since: "2026-11-23",
    reason: "a secret of a webhook endpoint that a crash left over, a day later",
    grants: ["sweeper dynamodb:GetItem ORG#*#WEBHOOK_ENDPOINTS"],
  },
  {
    since: "2026-11-23",
    reason: "a keyed request for a webhook endpoint that fails after it leased its record",
    grants: [
      "webhooks dynamodb:DeleteItem ORG#*#IDEMPOTENCY#*",
      "webhooks dynamodb:GetItem ORG#*#IDEMPOTENCY#*",
    ],
  },
  {
    since: "2026-11-23",
    reason: "a keyed request for an API key that fails after it leased its record",
    grants: ["apikeys dynamodb:GetItem ORG#*#IDEMPOTENCY#*"],
  },
  {
    since: "2026-11-23",
    reason: "a list by its second filter alone, which only the fuzz asks for, and not in each run",
    grants: [
      "connections dynamodb:Query table/das-main-data-Table/index/filter2",
      "runattachments dynamodb:Query table/das-main-data-Table/index/filter2",
    ],
  },
  {
    since: "2026-11-23",
    reason: "a delivery whose history has more than one page",
    grants: [
      "webhookdeliverer lambda:GetDurableExecutionState function:das-main-service-webhookdelivererFunction7BE3D083:*",
    ],
  },
];
