import { DomainError } from "../../../shared/domain/errors.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import type { Workflow, WorkflowVersion } from "../../../shared/domain/workflow/workflow.ts";
import type {
  UpdateWorkflowOptions,
  UpdateWorkflowOutcome,
  WorkflowChange,
  WorkflowFilter,
  WorkflowStore,
} from "../../../shared/domain/workflow/workflow-store.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";

const pageBytesMax = 5_000_000;
const versionsMax = 100;
const versionBytesMax = 4_000_000;

/** Workflows in memory. An `InMemoryTagStore` is given this one, since assignments change workflows. */
export class InMemoryWorkflowStore implements WorkflowStore {
  /** What the fake of the tags knows: whether a tag is there. */
  isLivingTag: (organizationId: string, tagId: string) => boolean = () => false;
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #rows = new Map<string, Workflow>();
  readonly #versions = new Map<string, WorkflowVersion[]>();
  readonly #searchRowsMax: number;

  constructor(idempotencyRecords: InMemoryIdempotencyStore, searchRowsMax = 10_000) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: string, workflowId: string): Promise<Workflow | undefined> {
    const workflow = this.row(organizationId, workflowId);
    return workflow?.deletedAt === null ? structuredClone(workflow) : undefined;
  }

  async findMany(organizationId: string, workflowIds: readonly string[]): Promise<readonly Workflow[]> {
    const found = await Promise.all([...new Set(workflowIds)].map((id) => this.find(organizationId, id)));
    return bounded(found.filter((workflow) => workflow !== undefined));
  }

  async findTagIds(organizationId: string, workflowIds: readonly string[]) {
    const found = await Promise.all([...new Set(workflowIds)].map((id) => this.find(organizationId, id)));
    return found.filter((workflow) => workflow !== undefined).map(({ id, tagIds }) => ({ id, tagIds }));
  }

  async create(workflow: Workflow, idempotency?: Idempotency): Promise<void> {
    this.#idempotencyRecords.commit(idempotency, workflow);
    this.write(workflow);
  }

  async update(
    organizationId: string,
    workflowId: string,
    change: WorkflowChange,
    { idempotency, before, version }: UpdateWorkflowOptions = {},
  ): Promise<UpdateWorkflowOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const workflow = this.row(organizationId, workflowId);
    const isOnce = before !== undefined && (idempotency !== undefined || version !== undefined);
    if (!workflow || workflow.deletedAt !== null) return { kind: isOnce ? "changed" : "not_found" };
    if (before && workflow.revision !== before.revision) return { kind: "changed" };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const changed: Workflow = { ...workflow, ...given, revision: workflow.revision + 1 };
    this.#idempotencyRecords.commit(idempotency, changed);
    this.write(changed);
    const key = keyOf(organizationId, workflowId);
    if (version) this.#versions.set(key, [structuredClone(version), ...(this.#versions.get(key) ?? [])]);
    return { kind: "updated", workflow: structuredClone(changed) };
  }

  async markDeleted(
    organizationId: string,
    workflowId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const workflow = this.row(organizationId, workflowId);
    if (!workflow || workflow.deletedAt !== null) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    this.write({ ...workflow, deletedAt, revision: workflow.revision + 1 });
    return true;
  }

  async list(organizationId: string, filter: WorkflowFilter, page: PageRequest): Promise<Page<Workflow>> {
    const living = [...this.#rows.values()].filter(
      (one) => one.organizationId === organizationId && one.deletedAt === null,
    );
    const { createdAtFrom, createdAtTo, tagIds, ...others } = filter;
    const created = living.filter(({ createdAt }) => isWithin(createdAt, createdAtFrom, createdAtTo));
    const byTags = tagIds?.map((id) =>
      this.isLivingTag(organizationId, id) ? living.filter((one) => one.tagIds.includes(id)) : [],
    );
    const fewest = byTags?.toSorted((one, other) => one.length - other.length)[0];
    const isLookedAt = byTags !== undefined || Object.values(others).some((value) => value !== undefined);
    if (isLookedAt && (fewest ?? created).length > this.#searchRowsMax) {
      throw new DomainError("search_too_broad", "the search reads too many workflows; narrow its range");
    }
    const search = filter.search?.toLowerCase() ?? "";
    const found = created
      .filter((one) => byTags?.every((some) => some.includes(one)) ?? true)
      .filter(({ updatedAt }) => isWithin(updatedAt, filter.updatedAtFrom, filter.updatedAtTo))
      .filter((one) => [one.id, one.name, one.mainPrompt].some((text) => text.toLowerCase().includes(search)))
      .sort((one, other) => (order(one) < order(other) ? 1 : -1));
    const items = bounded(found.slice(page.skip, page.skip + page.limit));
    return { items: structuredClone(items), total: found.length };
  }

  async listVersions(organizationId: string, workflowId: string): Promise<readonly WorkflowVersion[]> {
    const versions = this.#versions.get(keyOf(organizationId, workflowId)) ?? [];
    const newest = versions.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, versionsMax);
    let bytes = 0;
    return structuredClone(
      newest.filter(({ mainPrompt }) => {
        bytes += Buffer.byteLength(mainPrompt);
        return bytes <= versionBytesMax;
      }),
    );
  }

  async listDeletedDue(limit: number): Promise<readonly Workflow[]> {
    const deleted = [...this.#rows.values()].filter(({ deletedAt }) => deletedAt !== null);
    return structuredClone(deleted.slice(0, limit));
  }

  async findDeleted(organizationId: string, workflowId: string): Promise<Workflow | undefined> {
    const workflow = this.row(organizationId, workflowId);
    return workflow && workflow.deletedAt !== null ? structuredClone(workflow) : undefined;
  }

  async remove(organizationId: string, workflowId: string): Promise<void> {
    if (!(await this.findDeleted(organizationId, workflowId))) return;
    this.#versions.delete(keyOf(organizationId, workflowId));
    this.#rows.delete(keyOf(organizationId, workflowId));
  }

  /** The row as it is, deleted or not: for the fake of the tags. */
  row(organizationId: string, workflowId: string): Workflow | undefined {
    return this.#rows.get(keyOf(organizationId, workflowId));
  }

  /** Puts a row in place, whatever was there: for the fake of the tags, and to arrange a test. */
  write(workflow: Workflow): void {
    this.#rows.set(keyOf(workflow.organizationId, workflow.id), structuredClone(workflow));
  }
}

function keyOf(organizationId: string, workflowId: string): string {
  return JSON.stringify([organizationId, workflowId]);
}

function order({ createdAt, id }: Workflow): string {
  return `${createdAt} ${id}`;
}

function isWithin(moment: string, from: string | undefined, to: string | undefined): boolean {
  const ms = Date.parse(moment);
  return (from === undefined || ms >= Date.parse(from)) && (to === undefined || ms <= Date.parse(to));
}

function bounded(workflows: readonly Workflow[]): readonly Workflow[] {
  const bytes = workflows.reduce((sum, { mainPrompt }) => sum + Buffer.byteLength(mainPrompt), 0);
  if (bytes <= pageBytesMax) return workflows;
  throw new DomainError("answer_too_large", "the page is too large; ask for fewer with a lower limit");
}
