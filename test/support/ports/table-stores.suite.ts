import { it } from "vitest";
import type { CreateTableStores } from "../stores/table-stores.ts";
import { apiKeyStoreSuite } from "./api-key-store.suite.ts";
import { attachmentStoreSuite } from "./attachment-store.suite.ts";
import { callSlotsSuite } from "./call-slots.suite.ts";
import { callsUnderWaySuite } from "./calls-under-way.suite.ts";
import { connectionStoreSuite } from "./connection-store.suite.ts";
import { dueStoreSuite } from "./due-store.suite.ts";
import { executionStoreSuite } from "./execution-store.suite.ts";
import { idempotencyStoreSuite } from "./idempotency-store.suite.ts";
import { inputSourceStoreSuite } from "./input-source-store.suite.ts";
import { lineStoreSuite } from "./line-store.suite.ts";
import { machineListSuite } from "./machine-list.suite.ts";
import { machineReservationSuite } from "./machine-reservation.suite.ts";
import { machineStoreSuite } from "./machine-store.suite.ts";
import { mailboxStoreSuite } from "./mailbox-store.suite.ts";
import { checkMembershipModel } from "./membership-model.suite.ts";
import { membershipStoreSuite } from "./membership-store.suite.ts";
import { modelConfigurationStoreSuite } from "./model-configuration-store.suite.ts";
import { poolStoreSuite } from "./pool-store.suite.ts";
import { promptImageStoreSuite } from "./prompt-image-store.suite.ts";
import { providerCredentialStoreSuite } from "./provider-credential-store.suite.ts";
import { rateLimiterSuite } from "./rate-limiter.suite.ts";
import { runListSuite } from "./run-list.suite.ts";
import { checkRunModel } from "./run-model.suite.ts";
import { runQueueSuite } from "./run-queue.suite.ts";
import { runStoreSuite } from "./run-store.suite.ts";
import { secretOwnerStoreSuite } from "./secret-owner-store.suite.ts";
import { sweepCursorStoreSuite } from "./sweep-cursor-store.suite.ts";
import { tagStoreSuite } from "./tag-store.suite.ts";
import { taggingSuite } from "./tagging.suite.ts";
import { ticketStoreSuite } from "./ticket-store.suite.ts";
import { trajectoryStoreSuite } from "./trajectory-store.suite.ts";
import { usageStoreSuite } from "./usage-store.suite.ts";
import { waitingStoreSuite } from "./waiting-store.suite.ts";
import { waitingViewSuite } from "./waiting-view.suite.ts";
import { webhookStoresSuite } from "./webhook-stores.suite.ts";
import { workflowStoreSuite } from "./workflow-store.suite.ts";

export interface TableStoresSuiteOptions {
  /** Number of sequences of changes that each model is tried with. */
  readonly sequences: number;
}

/** The behaviour of the adapters for runs and waiting, on the model of DynamoDB or on DynamoDB Local. */
export function runStoresSuite(create: CreateTableStores, { sequences }: TableStoresSuiteOptions): void {
  attachmentStoreSuite(create);
  executionStoreSuite(create);
  inputSourceStoreSuite(create);
  machineReservationSuite(create);
  runListSuite(create);
  runQueueSuite(create);
  runStoreSuite(create);
  secretOwnerStoreSuite(create);
  waitingStoreSuite(create);
  waitingViewSuite(create);

  it("leaves the totals, states and uses of secrets of runs as in a model, after any sequence of changes", async () => {
    await checkRunModel(create, sequences);
  });
}

/** The behaviour of all other adapters. */
export function otherStoresSuite(create: CreateTableStores, { sequences }: TableStoresSuiteOptions): void {
  apiKeyStoreSuite(create);
  callSlotsSuite(create);
  callsUnderWaySuite(create);
  connectionStoreSuite(create);
  dueStoreSuite(create);
  idempotencyStoreSuite(create);
  lineStoreSuite(create);
  machineListSuite(create);
  machineStoreSuite(create);
  mailboxStoreSuite(create);
  membershipStoreSuite(create);
  modelConfigurationStoreSuite(create);
  poolStoreSuite(create);
  promptImageStoreSuite(create);
  providerCredentialStoreSuite(create);
  rateLimiterSuite(create);
  sweepCursorStoreSuite(create);
  tagStoreSuite(create);
  ticketStoreSuite(create);
  trajectoryStoreSuite(create);
  usageStoreSuite(create);
  webhookStoresSuite(create);
  workflowStoreSuite(create);
  taggingSuite(create, { runs: sequences });

  it("leaves members, their number and what machines name the same, after any sequence of changes", async () => {
    await checkMembershipModel(create, sequences);
  });
}
