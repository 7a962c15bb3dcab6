import { pictureBytesMax } from "../../../vocabulary/drivers.ts";
import type { Json } from "../../json.ts";
import { paintOver } from "../../picture/paint-over.ts";
import type { Picture } from "../../picture/picture.ts";
import { fillIn } from "../../placeholder/fill-in.ts";
import type { Plan } from "../../plan/plan.ts";
import { inheritedSecretValues } from "../../run/inputs/inherited-secret-values.ts";
import { runSecretValues } from "../../run/inputs/run-secret-values.ts";
import type { RunStep, SavedValue, StepTrail } from "../../run-step/run-step.ts";
import type { SecretValues } from "../../secret-store.ts";
import type { Desktop, Look } from "../desktop.ts";
import type { Durable } from "../durable.ts";
import type { Cursor, ExecutionJob } from "../execution.ts";
import type { StepOutcome, StepUnderWay } from "../execution-store.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { redact } from "./redact.ts";
import { Screen, settleMs } from "./screen.ts";
import { type Failure, failure } from "./step-result.ts";
import { freshTrail, noTrail, trailAt } from "./trail.ts";

/** A whole screen in the bucket, without what shows secrets. */
export interface StoredPicture {
  readonly key: string;
  readonly png: Uint8Array;
  readonly picture: Picture;
}

export interface InvocationOptions {
  readonly deps: ExecutorDeps;
  readonly job: ExecutionJob;
  readonly durable: Pick<Durable, "arn" | "remainingMs">;
  readonly desktop: Desktop;
  readonly plan: Plan;
  /** The state that earlier invocations have left. @default no step was tried before */
  readonly left?: { readonly lastStep: RunStep | undefined; readonly saved: readonly SavedValue[] };
}

/** A step whose function ends each time is tried so often. */
const triesMax = 3;

/** The state that an invocation keeps between steps. All of it can be read again, and its methods are the only writers. */
export class Invocation {
  readonly deps: ExecutorDeps;
  readonly job: ExecutionJob;
  readonly durable: Pick<Durable, "arn" | "remainingMs">;
  readonly desktop: Desktop;
  readonly plan: Plan;
  readonly #saved: Map<string, Json>;
  #trail: StepTrail;
  #screen: Screen | undefined;
  #pictureKey: string | null;
  #stored: StoredPicture | undefined;
  /** The step before, or the execution's beginning, was of this invocation: what follows was never tried. */
  #isContinuation: boolean;
  /** A wait ended the invocation before. */
  #hasWaited = false;
  /** Counted tries of the step under way; 0 where none was counted. */
  #tries = 0;
  /** Tries that failed and said so. */
  #failures = 0;
  /** When the run was seen to be this execution's, last. */
  #oursAtMs = Number.NEGATIVE_INFINITY;
  /** While its desktop is led back after its last step. */
  #leavesUntilMs: number | undefined;
  #secrets: SecretValues | undefined;

  constructor({ deps, job, durable, desktop, plan, left }: InvocationOptions) {
    this.deps = deps;
    this.job = job;
    this.durable = durable;
    this.desktop = desktop;
    this.plan = plan;
    this.#saved = new Map(left?.saved.map(({ name, value }) => [name, value]));
    this.#trail = left?.lastStep?.trail ?? noTrail;
    this.#pictureKey = left?.lastStep?.pictureKey ?? null;
    this.#isContinuation = left === undefined;
  }

  /** The trail of the last step. */
  get trail(): StepTrail {
    return this.#trail;
  }

  /** The latest screen; undefined where it has to be taken anew. */
  get screen(): Screen | undefined {
    return this.#screen;
  }

  /** The object with the latest picture. */
  get pictureKey(): string | null {
    return this.#pictureKey;
  }

  /** When the run's time is over, in milliseconds since the epoch; leading its desktop back has a time of its own. */
  get endsAtMs(): number {
    return this.#leavesUntilMs ?? this.plan.endsAtMs;
  }

  /** Values that steps have saved. */
  get saved(): ReadonlyMap<string, Json> {
    return this.#saved;
  }

  beginStep(
    cursor: Cursor,
    { failures, hasWaited }: { readonly failures: number; readonly hasWaited: boolean },
  ) {
    this.#failures = failures;
    this.#hasWaited = hasWaited || failures > 0;
    this.#tries = 0;
    this.#trail = trailAt(this.#trail, cursor);
    this.#leavesUntilMs = cursor.leave?.untilMs;
  }

  endStep(): void {
    this.#isContinuation = true;
    this.#leavesUntilMs = undefined;
  }

  /** Takes nothing along from the steps before but what has to stay painted over. */
  startAnew(): void {
    this.#trail = freshTrail(this.#trail);
  }

  /** Goes on from a step that is on record. */
  goOnFrom({ trail }: Pick<RunStep, "trail">): void {
    this.#trail = trail;
  }

  /** Goes on in the middle of a step that may have been sent: the screen is another one by now. */
  goOnWithin({ trail, pictureKey }: Pick<RunStep, "trail" | "pictureKey">): void {
    this.#trail = trail;
    this.#screen = undefined;
    this.#pictureKey = pictureKey;
  }

  see(look: Look | undefined): Screen | undefined {
    this.#screen = look && new Screen(this.deps.pictures, look);
    return this.#screen;
  }

  /** Undefined while the desktop is away. */
  async look(): Promise<Screen | undefined> {
    return this.see(await this.desktop.look(settleMs));
  }

  /** The latest screen, or the one that is there now. */
  async lastScreen(): Promise<Screen | undefined> {
    return this.#screen ?? (await this.look());
  }

  forgetScreen(): void {
    this.#screen = undefined;
  }

  /**
   * Stores the screen as it is now, without what shows secrets. Where the workflow keeps no pictures there is one, for the
   * step that follows, and the next one replaces it.
   */
  async keepPicture(
    { index }: { readonly index: number },
    { painted }: Pick<StepTrail, "painted"> = this.#trail,
  ): Promise<Pick<RunStep, "screenshot" | "pictureKey">> {
    const { deps, job, plan } = this;
    const screen = this.#screen;
    if (screen === undefined) return { screenshot: null, pictureKey: null };
    const { width, height } = screen.picture;
    const isPainted = painted.length > 0;
    const picture = isPainted ? paintOver(screen.picture, painted) : screen.picture;
    const png = isPainted ? deps.pictures.encode(picture) : screen.png;
    const isKept = plan.workflow.keepScreenshots;
    const name = `${job.assignmentId}-${isKept ? index : "passing"}`;
    const key = deps.files.stepKey(job.organizationId, job.runId, name);
    await deps.files.put(key, png, "image/png");
    this.#pictureKey = key;
    this.#stored = { key, png, picture };
    return { screenshot: isKept ? { width, height } : null, pictureKey: key };
  }

  /** Undefined where it is not in the bucket. */
  async findPicture(key: string): Promise<StoredPicture | undefined> {
    if (this.#stored?.key === key) return this.#stored;
    const png = await this.deps.files.get(key, pictureBytesMax);
    if (png === undefined) return undefined;
    this.#stored = { key, png, picture: this.deps.pictures.decode(png) };
    return this.#stored;
  }

  async getPicture(key: string): Promise<StoredPicture> {
    const stored = await this.findPicture(key);
    if (stored === undefined) throw new Error("a picture of a step is not in the bucket");
    return stored;
  }

  /**
   * Counts a try of the step, before anything else is done for it. Whatever ends a function, the step under way is the
   * first of the next invocation: so one that follows another in the same invocation is tried for the first time, which
   * costs no write and is added when it is tried again.
   *
   * @param what the step does.
   * @returns how the run ends where the step has ended its function too often; tries that failed and said so did not.
   */
  async countTry(
    { index }: Pick<Cursor, "index">,
    what: string,
  ): Promise<StepUnderWay | { readonly kind: "over"; readonly end: Failure }> {
    const isFirst = this.#isContinuation && this.#failures === 0;
    const under: StepUnderWay = isFirst
      ? { kind: "fresh", tries: 0 }
      : await this.deps.executions.countTry({ ...this.job, index });
    this.#tries = under.tries;
    // Without a wait between, this invocation is there because the one before was ended.
    const tries = under.tries + (isFirst || this.#hasWaited ? 0 : 1);
    if (tries - this.#failures <= triesMax) return { ...under, tries };
    const error = `step ${index} (${what}) ended its function ${triesMax} times`;
    return { kind: "over", end: failure("step_keeps_failing", error) };
  }

  /** The step is left for later, or nothing was done for it: its tries are counted anew. */
  async releaseTry({ index }: Pick<Cursor, "index">): Promise<void> {
    if (this.#tries === 0) return;
    await this.deps.executions.releaseTry({ ...this.job, index });
    this.#tries = 0;
  }

  /** False when the run is not this execution's any more: nothing may be done. */
  async recordIntent(step: RunStep): Promise<boolean> {
    const atMs = this.deps.clock.now();
    const isOurs = await this.deps.executions.recordSending(step, this.durable.arn, this.#tries);
    if (isOurs) this.#oursAtMs = atMs;
    return isOurs;
  }

  async withdrawIntent(step: RunStep): Promise<void> {
    await this.deps.executions.withdraw(step);
  }

  async recordOutcome(step: RunStep, outcome: StepOutcome): Promise<void> {
    await this.deps.executions.recordOutcome(step, outcome);
    this.#trail = outcome.trail;
    if (outcome.saved) this.#saved.set(outcome.saved.name, outcome.saved.value);
  }

  /** Records a step that sends nothing, whole; false when the run is not this execution's any more. */
  async record(step: RunStep, saved?: SavedValue): Promise<boolean> {
    this.#trail = step.trail;
    if (!(await this.deps.executions.recordStep(step, saved))) return false;
    if (saved) this.#saved.set(saved.name, saved.value);
    return true;
  }

  /**
   * Whether the run is this execution's. An intent that was recorded just now has shown it; what the next one finds out
   * costs a call of a model at most.
   */
  async isOurs(withinMs: number): Promise<boolean> {
    const { deps, job, durable } = this;
    if (deps.clock.now() - this.#oursAtMs < withinMs) return true;
    const execution = await deps.executions.find(job.organizationId, job.runId);
    return execution?.assignmentId === job.assignmentId && execution.arn === durable.arn;
  }

  /** The values of the run's secrets, own and inherited; those that are gone are left out. Read once. */
  async secrets(): Promise<SecretValues> {
    if (this.#secrets !== undefined) return this.#secrets;
    const { deps, job } = this;
    const run = await deps.runs.find(job.organizationId, job.runId);
    if (run === undefined || run.assignmentId !== job.assignmentId) return {};
    const [own, inherited] = await Promise.all([
      runSecretValues(deps, run),
      inheritedSecretValues(deps, run),
    ]);
    this.#secrets = { ...inherited, ...own };
    return this.#secrets;
  }

  /** A text with inputs and saved values filled in, secrets as `{$alias}`; as it is where it names what nobody gave. */
  filled(text: string): string {
    const { inputValues: inputs, aliases } = this.plan;
    const filled = fillIn(text, { inputs, saved: this.#saved, aliases: new Set(aliases) });
    return filled.kind === "filled" ? filled.shown : text;
  }

  /** A text from the desktop, with no secret's value in it. */
  async withoutSecrets(text: string): Promise<string> {
    return redact(text, await this.secrets());
  }
}
