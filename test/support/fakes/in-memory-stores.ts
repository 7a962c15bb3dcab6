import type { DeletableKind } from "../../../shared/domain/maintenance/deletions.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeSigner } from "./fake-signer.ts";
import { InMemoryApiKeyStore } from "./in-memory-api-key-store.ts";
import { InMemoryAttachmentStore } from "./in-memory-attachment-store.ts";
import { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";
import { InMemoryConnectionStore } from "./in-memory-connection-store.ts";
import { InMemoryEventPublisher } from "./in-memory-event-publisher.ts";
import { InMemoryFileStore } from "./in-memory-file-store.ts";
import { InMemoryInputSourceStore } from "./in-memory-input-source-store.ts";
import { InMemoryMachineStore } from "./in-memory-machine-store.ts";
import { InMemoryMailboxStore } from "./in-memory-mailbox-store.ts";
import { InMemoryMembershipStore } from "./in-memory-membership-store.ts";
import { InMemoryPoolStore } from "./in-memory-pool-store.ts";
import { InMemoryProviderCredentialStore } from "./in-memory-provider-credential-store.ts";
import { InMemoryRateLimiter } from "./in-memory-rate-limiter.ts";
import { InMemoryRunStore } from "./in-memory-run-store.ts";
import { InMemorySecretOwnerStore } from "./in-memory-secret-owner-store.ts";
import { InMemorySecretStore } from "./in-memory-secret-store.ts";
import { InMemorySessionStore } from "./in-memory-session-store.ts";
import { InMemorySweepCursorStore } from "./in-memory-sweep-cursor-store.ts";
import { InMemoryTicketStore } from "./in-memory-ticket-store.ts";
import { InMemoryTagStore } from "./in-memory-tag-store.ts";
import { InMemoryTrajectoryStore } from "./in-memory-trajectory-store.ts";
import { InMemoryWaitingStore } from "./in-memory-waiting-store.ts";
import { InMemoryWaitingView } from "./in-memory-waiting-view.ts";
import { InMemoryWorkflowStore } from "./in-memory-workflow-store.ts";
import { SequentialIds } from "./sequential-ids.ts";

/** Every fake, wired to each other and to one clock. */
export function inMemoryStores(clock = new FakeClock()) {
  const idempotencyRecords = new InMemoryIdempotencyStore(clock);
  const machines = new InMemoryMachineStore(idempotencyRecords);
  const pools = new InMemoryPoolStore(idempotencyRecords);
  const workflows = new InMemoryWorkflowStore(idempotencyRecords);
  const named = { workflow: workflows, machine: machines, pool: pools };
  const runs = new InMemoryRunStore(
    idempotencyRecords,
    async (what, organizationId, id) => (await named[what].find(organizationId, id)) !== undefined,
    undefined,
    machines,
  );
  const memberships = new InMemoryMembershipStore(idempotencyRecords, machines, pools);
  const attachments = new InMemoryAttachmentStore(idempotencyRecords, runs, clock);
  const tags = new InMemoryTagStore(idempotencyRecords, workflows);
  const trajectories = new InMemoryTrajectoryStore(idempotencyRecords, workflows);
  const all = Number.POSITIVE_INFINITY;
  const deleted = {
    ...{ machine: machines, pool: pools, workflow: workflows, run: runs, attachment: attachments },
    trajectory: trajectories,
    workflow_tag: { listDeletedDue: (limit: number) => tags.listDeletedTagsDue(limit) },
    workflow_tag_group: { listDeletedDue: (limit: number) => tags.listDeletedGroupsDue(limit) },
  };
  const due = {
    async listDeleted(kind: DeletableKind, untilMs: number, limit: number) {
      const marked = await deleted[kind].listDeletedDue(all);
      return marked.filter(({ deletedAt }) => Date.parse(deletedAt ?? "") <= untilMs).slice(0, limit);
    },
  };
  return {
    clock,
    due,
    ids: new SequentialIds(clock),
    signer: new FakeSigner(),
    idempotencyRecords,
    events: new InMemoryEventPublisher(),
    machines,
    inputSources: new InMemoryInputSourceStore({ workflows, machines, pools }),
    workflows,
    runs,
    sessions: new InMemorySessionStore(runs),
    waiting: new InMemoryWaitingStore(runs),
    attachments,
    tags,
    trajectories,
    pools,
    providerCredentials: new InMemoryProviderCredentialStore(idempotencyRecords),
    memberships,
    waitingView: new InMemoryWaitingView({ machines, pools, memberships, runs }),
    connections: new InMemoryConnectionStore(machines, idempotencyRecords),
    apiKeys: new InMemoryApiKeyStore(),
    mailboxes: new InMemoryMailboxStore(),
    tickets: new InMemoryTicketStore(clock),
    rateLimiter: new InMemoryRateLimiter(clock),
    secretOwners: new InMemorySecretOwnerStore(machines, pools),
    secrets: new InMemorySecretStore(clock),
    files: new InMemoryFileStore(clock),
    sweepCursors: new InMemorySweepCursorStore(),
  };
}

export type InMemoryStores = ReturnType<typeof inMemoryStores>;
