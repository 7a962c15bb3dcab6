/** The table's indexes, each over its own pair of attributes `<index>_pk` and `<index>_sk`. */
export const indexNames = ["list", "filter1", "filter2", "filter3", "filter4", "due"] as const;
export type IndexName = (typeof indexNames)[number];

/** The shards of a counter, of which a transaction adds to one, so that creations seldom conflict. */
export const counterShards = 16;

/** The places of all organizations' executions are counted in this many shards, of which an assignment writes one. */
export const executionShards = 16;

/** Due items are listed in this many shards, each of which takes 1,000 writes a second. */
export const dueShards = 16;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const transactionItemsMax = 100;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
export const batchKeysMax = 100;

/** The largest page of heavy items, in bytes: one response may hold it, and it is far below a function's memory. */
export const heavyPageBytesMax = 5_000_000;

/** The kinds of rows that are read one by one, and that the stream's filters distinguish. */
export type RowKind =
  | ("api_key" | "attachment" | "attachment_upload" | "audit_event" | "call_place" | "call_slot")
  | ("connection" | "execution" | "executions" | "idempotency_record" | "idle" | "key_revocation")
  | ("key_use" | "left" | "machine" | "mailbox_part" | "main_trajectory" | "model_configuration" | "pool")
  | ("pool_member" | "pool_set" | "prompt_image" | "provider_credential" | "queue" | "recorded_step")
  | ("recording" | "request_log" | "request_log_segment" | "schedule" | "service_executions" | "service_line")
  | (
      | "run"
      | "run_metadata"
      | "run_secret"
      | "saved_value"
      | "session"
      | "setting"
      | "socket"
      | "step"
      | "stopped_chain"
      | "sweep_cursor"
    )
  | (
      | "table_id"
      | "ticket"
      | "trajectory"
      | "webhook_delivery"
      | "webhook_endpoint"
      | "webhook_message"
      | "webhook_waiting"
    )
  | ("hints" | "live_ticket" | "viewer" | "viewer_socket")
  | ("workflow" | "workflow_tag" | "workflow_tag_group" | "workflow_version");
