import type { KeyKind } from "../shared/storage/table/key-patterns.ts";
import type { ItemAction, TableGrant } from "./constructs/single-table.ts";

const get = "GetItem";
const getMany = "BatchGetItem";
const query = "Query";
const put = "PutItem";
const update = "UpdateItem";
const remove = "DeleteItem";
const check = "ConditionCheckItem";

type Items = Readonly<Partial<Record<KeyKind, readonly ItemAction[]>>>;

/** Groups that authenticate requests need these. */
const access: Items = { apiKey: [get], ownApiKey: [get], keyUse: [update], rate: [update] };

/** Their operations record the result in their own transaction. */
const transactional: Items = { ...access, idempotency: [get, put] };

/** Their operations lease a record before they begin, and release it when they fail. */
const leased: Items = { ...access, idempotency: [get, put, update, remove] };

/** Calls of desktops use a slot beside the connection, and close a connection that is gone. */
const calls: Items = { connection: [get, put, update], mailbox: [query], machine: [getMany, update, check] };

/** A grant that no end-to-end test uses fails `test/e2e/grants/`. */
export const tableGrants: Readonly<Record<string, TableGrant | undefined>> = {
  health: { items: { probe: [get] } },
  "machine-health": {
    items: {
      ...access,
      ...calls,
      callsUnderWay: [getMany],
      connection: [get, getMany, put, update],
    },
    indexes: ["due", "filter2"],
  },
  driver: {
    items: { ...access, idempotency: [put, update, remove], machine: [get], ticket: [put] },
  },
  computer: {
    items: {
      ...access,
      ...calls,
      callsUnderWay: [getMany],
      idempotency: [put, update, remove],
      pool: [getMany],
      run: [getMany, put, update, check],
      runSecret: [get],
      workflow: [get],
    },
  },
  connections: {
    items: {
      ...transactional,
      connection: [get, getMany, put, update, remove],
      connectionCount: [query, update],
      machine: [getMany, update, check],
    },
    indexes: ["list", "filter1", "filter2"],
  },
  machines: {
    items: {
      ...leased,
      ...calls,
      executions: [update],
      fingerprint: [put],
      machine: [get, getMany, query, put, update, remove, check],
      machineCount: [query, update],
      pool: [getMany, put, update, remove],
      queue: [remove],
      run: [get, update, remove, check],
      session: [get, query, put, update, remove],
      tableId: [get],
    },
    indexes: ["list", "filter1", "filter2"],
  },
  pools: {
    items: {
      ...leased,
      machine: [getMany, update],
      pool: [get, getMany, query, put, update, remove, check],
      poolCount: [query, update],
      poolName: [put, remove],
      tableId: [get],
    },
    indexes: ["list"],
  },
  "provider-credentials": {
    items: { ...leased, provider: [get, getMany, put], tableId: [get] },
  },
  workflows: {
    items: {
      ...leased,
      modelConfiguration: [update],
      tag: [getMany, query, put, update, remove],
      tagGroup: [getMany, update],
      workflow: [get, getMany, query, put, update],
      workflowCount: [query, update],
    },
    indexes: ["list"],
  },
  "model-configurations": {
    items: { ...transactional, modelConfiguration: [getMany, get, query, put, update, remove] },
  },
  "workflow-tags": {
    items: {
      ...transactional,
      limit: [update],
      tag: [getMany, query, put, update],
      tagGroup: [getMany, put, update, remove],
      tagGroupName: [put, remove],
      tagName: [put, remove],
      workflow: [getMany],
    },
    indexes: ["list"],
  },
  // Keys of the operator's program can be removed, but not written, so none can get the scope operator.
  "api-keys": {
    items: {
      ...transactional,
      apiKey: [get, getMany, remove],
      keyUse: [getMany, update],
      ownApiKey: [get, getMany, put, remove],
      revocation: [put],
    },
    indexes: ["list"],
  },
  webhooks: {
    items: {
      ...leased,
      tableId: [get],
      webhookDelivery: [get, getMany, update],
      webhookEndpoint: [get, query, put, update, remove],
    },
    indexes: ["filter1"],
  },
  "webhook-deliverer": {
    items: {
      webhookDelivery: [getMany, update],
      webhookEndpoint: [getMany, put, update, remove],
      webhookMessage: [getMany],
    },
  },
  logs: {
    items: {
      ...access,
      auditEvent: [get, getMany],
      auditEventCount: [query],
      requestLog: [get, getMany],
      requestLogCount: [query],
    },
    indexes: ["list", "filter1", "filter2"],
  },
  runs: {
    items: {
      ...leased,
      attachment: [get, put, update],
      attachmentCount: [update],
      executions: [get, update],
      machine: [get, getMany, query, put, update, remove, check],
      modelConfiguration: [getMany],
      pool: [getMany, query, check],
      poolSets: [update],
      queue: [query, put, remove],
      run: [get, getMany, query, put, update, remove],
      runCount: [query, update],
      runSecret: [get, getMany, update, remove],
      session: [get, query, put, update, remove],
      trajectory: [get],
      usage: [query],
      workflow: [getMany, check],
      tableId: [get],
    },
    indexes: ["list", "filter1", "filter2", "filter3", "filter4"],
  },
  "run-attachments": {
    items: {
      ...leased,
      attachment: [get, getMany, put, update],
      attachmentCount: [query, update],
      run: [put, update, check],
      tableId: [get],
    },
    indexes: ["list", "filter1", "filter2"],
  },
  trajectories: {
    items: {
      ...leased,
      modelConfiguration: [update],
      promptImage: [get, query, put, update, remove],
      run: [get, query],
      tag: [getMany, put, update, remove],
      tagGroup: [getMany, update],
      trajectory: [get, getMany, put, update],
      trajectoryCount: [query, update],
      workflow: [get, getMany, put, update, remove, check],
      workflowCount: [update],
      tableId: [get],
    },
    indexes: ["list", "filter1", "filter2"],
  },
  tunnel: {
    items: {
      ...access,
      connection: [get, put, update],
      connectionCount: [update],
      fingerprint: [get, put],
      machine: [get, getMany, put, update, check],
      machineCount: [update],
      mailbox: [put],
      socket: [get, put],
      ticket: [get, update],
    },
    indexes: ["filter3"],
  },
  executor: {
    items: {
      attachment: [get, put],
      attachmentCount: [update],
      callsUnderWay: [getMany],
      connection: [get, put, update],
      executions: [update],
      machine: [get, getMany, update, check],
      mailbox: [query],
      modelConfiguration: [getMany],
      platformTokens: [get, update],
      pool: [getMany, query, check],
      poolSets: [update],
      promptImage: [getMany],
      provider: [get, put],
      queue: [put],
      run: [get, query, put, update, remove, check],
      runSecret: [get],
      session: [put, update],
      trajectory: [get, put, update],
      trajectoryCount: [update],
      workflow: [get, put, check],
      tableId: [get],
    },
  },
  "executions-watch": {
    items: { executions: [update], machine: [update], run: [get, update, remove], session: [put, update] },
  },
  matcher: {
    items: {
      executions: [update],
      idle: [query, put, remove],
      left: [put],
      machine: [getMany, query, update, remove, check],
      modelConfiguration: [getMany],
      pool: [getMany],
      poolSets: [query, remove],
      provider: [getMany],
      queue: [query, put, remove],
      run: [get, getMany, put, update],
      session: [query, put, update, remove, check],
      workflow: [getMany],
    },
  },
  projector: {
    items: {
      attachment: [get, update, remove],
      attachmentCount: [update],
      auditEvent: [put],
      auditEventCount: [update],
      callsUnderWay: [update],
      connection: [get, put, update],
      connectionCount: [update],
      executions: [update],
      fingerprint: [remove],
      machine: [get, getMany, query, update, remove, check],
      modelConfiguration: [update],
      pool: [get, getMany, query, update, remove],
      poolName: [remove],
      poolSets: [query],
      queue: [query, remove],
      requestLog: [put],
      requestLogCount: [update],
      run: [get, getMany, query, put, update, remove, check],
      runSecret: [getMany, update, remove],
      session: [query, put, update, remove],
      tag: [get, query, update, remove],
      tagGroup: [get, query, remove],
      trajectory: [get, remove],
      usage: [update],
      webhookDelivery: [put],
      webhookEndpoint: [query],
      webhookMessage: [put],
      workflow: [get, query, update, remove],
    },
    indexes: ["filter4"],
  },
  sweeper: {
    items: {
      attachment: [get, getMany, update, remove],
      attachmentCount: [update],
      connection: [get, getMany, update],
      connectionCount: [update],
      executions: [update],
      fingerprint: [remove],
      idle: [getMany, query, put, remove],
      machine: [get, getMany, query, put, update, remove, check],
      modelConfiguration: [getMany, update],
      pool: [get, getMany, query, update, remove],
      poolName: [remove],
      poolSets: [query, update],
      promptImage: [get],
      provider: [get, getMany],
      queue: [getMany, query, put, remove],
      revocation: [getMany, remove],
      run: [get, getMany, query, update, remove, check],
      runCount: [update],
      runSecret: [getMany, update, remove],
      session: [getMany, query, put, update, remove, check],
      sweepCursor: [get, put],
      tag: [get, getMany, query, update, remove],
      tagGroup: [get, getMany, query, remove],
      trajectory: [get, getMany, remove],
      webhookEndpoint: [get],
      workflow: [get, getMany, query, update, remove],
      tableId: [get, put],
    },
    indexes: ["due", "filter3", "filter4"],
  },
};
