import { createMatcher } from "../../../functions/matcher/app.ts";
import { createProjector } from "../../../functions/projector/app.ts";
import type { JsonObject } from "../../../infra/local/template/json.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { updateMachine } from "../../../shared/domain/reservation/update-machine.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { readMatchTrigger } from "../../../shared/storage/stream/match-triggers.ts";
import { readTableChange } from "../../../shared/storage/stream/stream-changes.ts";
import { aMachine, aPool } from "../builders/entities.ts";
import { aWorkflow } from "../builders/workflows.ts";
import { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import { InMemoryDeliveries } from "../fakes/in-memory-deliveries.ts";
import { readsNothing } from "../projector-reads.ts";
import { createRandom, type Random } from "../shared/random.ts";
import { type Action, chooseAction, chooseMixture, connectMachine, type Mixture } from "./actors.ts";
import { checkAtRest } from "./rest-invariants.ts";
import { noFaults, Scheduler, type TaskContext } from "./scheduler.ts";
import { ServiceInvariants } from "./service-invariants.ts";
import { simLogger } from "./sim-logger.ts";
import { SimOrganization } from "./sim-organization.ts";
import { type SimStores, simStores } from "./sim-stores.ts";
import { SpacedIds } from "./spaced-ids.ts";
import { Violation } from "./step-invariants.ts";
import { type Batch, type BatchResponse, StreamFeed } from "./stream-feed.ts";

export interface StreamPatterns {
  readonly matcher: readonly JsonObject[];
  readonly projector: readonly JsonObject[];
}

export interface ScheduleResult {
  readonly steps: number;
  readonly runs: number;
  readonly assigned: number;
  readonly trace: () => readonly string[];
}

class SimulationFailure extends Error {
  override readonly name = "SimulationFailure";

  constructor(seed: number, trace: readonly string[], cause: unknown) {
    const last = trace.slice(-(Number(process.env.SIMULATION_TRACE) || 60)).join("\n");
    const what = cause instanceof Error ? `${cause.message}` : String(cause);
    super(`${what}\n\nseed ${seed} (SIMULATION_SEED=${seed} repeats it); the last steps:\n${last}`, {
      cause,
    });
  }
}

const stepsMax = 20_000;
const attemptsMax = 30;
const indexLagMs = 2_000;

type Handler = (event: { readonly Records: Batch["records"] }) => Promise<BatchResponse>;

/** A consumer of the stream: its name, its records, and the number of batches that it may have at once. */
interface Consumer {
  readonly name: string;
  readonly feed: StreamFeed;
  readonly atOnce: number;
  readonly recordsMax: number;
  readonly handler: (stores: SimStores) => Handler;
  active: number;
}

/**
 * Runs one schedule: an organization of a few machines, its actors, and the readers of its stream, interleaved call by
 * call in the order that the seed determines.
 *
 * @throws {SimulationFailure}
 */
export async function runSchedule(seed: number, patterns: StreamPatterns): Promise<ScheduleResult> {
  const schedule = new Schedule(seed, patterns);
  try {
    await schedule.run();
  } catch (error) {
    throw new SimulationFailure(seed, schedule.trace, error);
  }
  return schedule.result;
}

class Schedule {
  readonly #random: Random;
  readonly #model: DynamoModel;
  readonly #scheduler: Scheduler;
  readonly #ids: SpacedIds;
  readonly #organizations: readonly SimOrganization[];
  readonly #service: ServiceInvariants | undefined;
  readonly #consumers: readonly Consumer[];
  readonly #workflows = new Map<string, Workflow>();
  readonly #organizationExecutionsMax: number;
  readonly #serviceExecutionsMax: number | undefined;
  readonly #isFaulty: boolean;
  readonly #mixture: Mixture;
  #haste = 0.25;
  #bug: unknown;
  #steps = 0;

  constructor(seed: number, patterns: StreamPatterns) {
    this.#random = createRandom(seed);
    this.#model = new DynamoModel({ isLagging: true });
    this.#scheduler = new Scheduler(this.#model, this.#random);
    this.#ids = new SpacedIds(this.#scheduler);
    this.#organizationExecutionsMax = this.#random.pick([1, 1, 2, 50]);
    this.#serviceExecutionsMax = this.#random.pick([undefined, undefined, 1, 2, 3, 20]);
    this.#isFaulty = this.#random.chance(0.7);
    this.#mixture = chooseMixture(this.#random);
    // A single matcher that handles one event at a time serves each queue in order.
    const isAlone = this.#random.chance(0.25);
    // Only the limit of all organizations concerns more than one of them.
    const names =
      this.#serviceExecutionsMax === undefined ? ["o"] : ["o", "p", "q"].slice(0, this.#random.int(1, 3));
    const of = { executionsMax: this.#organizationExecutionsMax, isInOrder: isAlone };
    this.#organizations = names.map((name) => new SimOrganization(name, of));
    this.#service =
      this.#serviceExecutionsMax === undefined
        ? undefined
        : new ServiceInvariants(this.#serviceExecutionsMax, () =>
            this.#organizations.flatMap(({ view }) => view.executedRuns()),
          );
    // With one entry per round, rounds leave work to each other as often as they can.
    const share = { entries: this.#random.pick([1, 2, 32]), checkMs: 250 };
    this.#consumers = [
      {
        name: "matcher",
        feed: new StreamFeed(patterns.matcher),
        atOnce: isAlone ? 1 : this.#random.pick([2, 4]),
        recordsMax: isAlone ? 1 : this.#random.int(1, 6),
        handler: (stores) => {
          const handler = createMatcher({ ...stores, share, readTrigger: readMatchTrigger });
          return (event) => handler(event, { getRemainingTimeInMillis: () => 60_000 });
        },
        active: 0,
      },
      {
        name: "projector",
        feed: new StreamFeed(patterns.projector),
        atOnce: 1,
        recordsMax: 3,
        handler: (stores) =>
          createProjector({
            ...stores,
            ...readsNothing,
            readChange: readTableChange,
            readRun: () => undefined,
            deliveryStarter: new InMemoryDeliveries(),
            deriveUuid7: () => "",
          }),
        active: 0,
      },
    ];
  }

  get trace(): readonly string[] {
    return this.#scheduler.trace;
  }

  get result(): ScheduleResult {
    return {
      steps: this.#steps,
      runs: this.#organizations.reduce((sum, { view }) => sum + view.runs.size, 0),
      assigned: this.#organizations.reduce((sum, { assignments }) => sum + assignments.length, 0),
      trace: () => this.trace,
    };
  }

  async run(): Promise<void> {
    await this.#setUp();
    this.#scheduler.slowness = this.#random.pick([0, 0.1, 0.3]);
    this.#haste = this.#random.pick([0.08, 0.25, 0.5]);
    const phases = this.#random.int(1, 3);
    for (let phase = 0; phase < phases; phase += 1) {
      this.#scheduler.note(`--- phase ${phase}`);
      if (this.#isFaulty) this.#scheduler.faults = { crash: 0.01, conflict: 0.01, lost: 0.005 };
      await this.#act(this.#random.int(4, 18));
      this.#scheduler.faults = noFaults;
      await this.#comeToRest();
      this.#scheduler.note("--- at rest");
      const limits = {
        executionsMax: this.#organizationExecutionsMax,
        isServiceFull: this.#service?.isFull === true,
      };
      for (const { view } of this.#organizations) checkAtRest(view, limits);
      this.#service?.checkAtRest();
    }
  }

  async #setUp(): Promise<void> {
    const clock = { now: () => this.#scheduler.now(), sleep: async () => {} };
    const stores = this.#storesOf({ client: this.#model.client, clock });
    for (const organization of this.#organizations) await this.#setUpOrganization(stores, organization);
    this.#takeRecords();
  }

  async #setUpOrganization(stores: SimStores, { caller, workflowIds }: SimOrganization): Promise<void> {
    const { organizationId } = caller;
    const machines = this.#random.int(1, 4);
    const pools = this.#random.int(0, 3);
    for (let count = 0; count < 2; count += 1) {
      const workflow = aWorkflow({
        ...this.#fresh(),
        organizationId,
        executor: this.#random.pick(["service", "worker"]),
      });
      await stores.workflows.create(workflow);
      this.#workflows.set(workflow.id, workflow);
      workflowIds.push(workflow.id);
    }
    const poolIds: string[] = [];
    for (let count = 0; count < pools; count += 1) {
      const pool = aPool({ ...this.#fresh(), name: `pool ${count}`, organizationId });
      await stores.pools.create(pool);
      poolIds.push(pool.id);
    }
    for (let count = 0; count < machines; count += 1) {
      const machine = aMachine({ ...this.#fresh(), fingerprint: `f${count}`, organizationId });
      await stores.machines.create(machine);
      const own = poolIds.filter(() => this.#random.chance(0.6));
      if (own.length > 0) await stores.memberships.setPools(organizationId, machine.id, own);
      if (this.#random.chance(0.7)) await connectMachine(stores, machine, caller);
    }
  }

  #fresh() {
    return { id: this.#ids.uuid7(), createdAt: new Date(this.#scheduler.now()).toISOString() };
  }

  async #act(actions: number): Promise<void> {
    for (let left = actions; left > 0; ) {
      const action =
        this.#random.chance(this.#haste) && this.#scheduler.busy < 8 ? this.#choose() : undefined;
      if (action !== undefined) {
        left -= 1;
        await this.#begin(action);
      } else {
        await this.#move();
        // An idle scheduler costs some of the remaining actions, so that the loop ends.
        if (this.#scheduler.busy === 0) left -= 0.1;
      }
    }
  }

  #choose(): Action | undefined {
    const stage = { ...this.#random.pick(this.#organizations), random: this.#random };
    return chooseAction(stage, this.#mixture);
  }

  async #begin({ name, act }: Action): Promise<void> {
    await this.#scheduler.begin(name, async (context) => void (await act(this.#storesOf(context))), {
      end: (end) => {
        // A DomainError is an ordinary refusal; any other error is a bug.
        if (end.kind === "failed" && !(end.error instanceof DomainError)) this.#bug ??= end.error;
      },
    });
    this.#afterStep();
  }

  async #move(): Promise<boolean> {
    if (this.#random.chance(0.3)) this.#model.items.catchUp(this.#random.int(0, 3));
    const deliverable = this.#consumers.filter(
      ({ feed, active, atOnce }) => !feed.isEmpty && active < atOnce,
    );
    const isDelivery = deliverable.length > 0 && this.#random.chance(0.5);
    const isDelivered = isDelivery && (await this.#deliver(this.#random.pick(deliverable)));
    if (isDelivered || (await this.#scheduler.step())) {
      this.#afterStep();
      return true;
    }
    for (const consumer of deliverable) {
      if (!(await this.#deliver(consumer))) continue;
      this.#afterStep();
      return true;
    }
    return false;
  }

  async #deliver(consumer: Consumer): Promise<boolean> {
    const batch = consumer.feed.take(this.#random, consumer.recordsMax);
    if (batch === undefined) return false;
    if (batch.attempts > attemptsMax) throw new Violation(`a batch failed ${attemptsMax} times`);
    // The projector cancels runs that an index lists for a deleted workflow. Indexes lag less than the stream does,
    // though nothing guarantees that; a run that one does not show yet is cancelled when a machine is to take it.
    if (consumer.name === "projector") this.#model.items.catchUp();
    if (consumer.name === "matcher") for (const { order } of this.#organizations) order?.beginRound();
    consumer.active += 1;
    const name = `${consumer.name}[${batch.records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber)).join(" ")}]`;
    let response: BatchResponse | undefined;
    const work = async (context: TaskContext) => {
      response = await consumer.handler(this.#storesOf(context))({ Records: batch.records });
    };
    const end = () => {
      consumer.active -= 1;
      const comesAgain = this.#scheduler.faults !== noFaults && this.#random.chance(0.1);
      consumer.feed.settle(batch, response, comesAgain);
    };
    await this.#scheduler.begin(name, work, { end });
    return true;
  }

  async #comeToRest(): Promise<void> {
    for (;;) {
      while (await this.#move());
      this.#model.items.catchUp();
      const clearing = this.#organizations.flatMap(({ caller, view }) =>
        view
          .livingMachines()
          .flatMap(({ id, clearingSince }) => (clearingSince === null ? [] : [{ caller, id }])),
      )[0];
      if (clearing === undefined) return;
      const { caller, id: machineId } = clearing;
      await this.#begin({
        name: `clear the reservation of ${machineId} again`,
        act: (stores) => updateMachine(stores, caller, { machineId, reservedSessionId: null }),
      });
    }
  }

  #afterStep(): void {
    this.#steps += 1;
    if (this.#steps > stepsMax) throw new Violation(`it does not come to an end in ${stepsMax} steps`);
    this.#takeRecords();
    if (this.#bug !== undefined) throw this.#bug;
  }

  #takeRecords(): void {
    const records = this.#model.takeRecords();
    if (records.length === 0) return;
    for (const record of records) {
      for (const { feed } of this.#consumers) feed.push(record);
    }
    for (const organization of this.#organizations) organization.apply(records);
    this.#service?.check(records);
  }

  #storesOf({ client, clock }: TaskContext): SimStores {
    const note = (text: string) => this.#scheduler.note(text);
    const logger = simLogger(note, (cause) => {
      this.#bug ??= cause;
    });
    const sleep = async (ms: number) => {
      await clock.sleep(ms);
      // An index lags for less than what waits for it sleeps.
      if (ms >= indexLagMs) this.#model.items.catchUp();
    };
    return simStores({
      client,
      clock: { now: () => clock.now(), sleep },
      ids: this.#ids,
      logger,
      organizationExecutionsMax: this.#organizationExecutionsMax,
      serviceExecutionsMax: this.#serviceExecutionsMax,
      workflows: this.#workflows,
    });
  }
}
