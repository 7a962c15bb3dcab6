import { pictureBytesMax } from "../../../vocabulary/drivers.ts";
import type { Desktop, Look } from "../../desktop/desktop.ts";
import type { Durable } from "../../durable/durable.ts";
import type { Json } from "../../json.ts";
import { paintOver } from "../../picture/edit-picture.ts";
import type { Picture } from "../../picture/picture.ts";
import { fillIn } from "../../placeholder/fill-in.ts";
import type { Plan } from "../../plan/plan.ts";
import { inheritedSecretValues } from "../../run/inputs/inherited-secret-values.ts";
import { runSecretValues } from "../../run/inputs/run-secret-values.ts";
import { type Failure, failure } from "../../run/run-ending.ts";
import type { RunStep, SavedValue, StepTrail } from "../../run-step/run-step.ts";
import type { SecretValues } from "../../secret-store.ts";
import { redact } from "../../secrets/redact.ts";
import type { Cursor, ExecutionJob } from "../execution.ts";
import type { StepOutcome, StepUnderWay } from "../execution-store.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { RunHeld } from "../run-held.ts";
import { Screen, settleMs } from "./screen.ts";
import { StepTimes, timedDesktop } from "./step-times.ts";
import { freshTrail, noTrail, trailAt } from "./trail.ts";

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
  readonly left?: { readonly lastStep: RunStep | undefined; readonly saved: readonly SavedValue[] };
}

const triesMax = 3;

/** All of the state can be read again, and the methods are its only writers. */
export class Invocation {
  readonly deps: ExecutorDeps;
  readonly job: ExecutionJob;
  readonly durable: Pick<Durable, "arn" | "remainingMs">;
  readonly desktop: Desktop;
  readonly times: StepTimes;
  readonly plan: Plan;
  readonly #saved: Map<string, Json>;
  #trail: StepTrail;
  #screen: Screen | undefined;
  #pictureKey: string | null;
  #stored: StoredPicture | undefined;
  /** True if the previous step, or the beginning, was in this invocation, so that the next step was never tried. */
  #isContinuation: boolean;
  #hasWaited = false;
  #tries = 0;
  /** Tries that returned an error did not end their function. */
  #failures = 0;
  #oursAtMs = Number.NEGATIVE_INFINITY;
  #leavesUntilMs: number | undefined;
  #secrets: SecretValues | undefined;
  #hasSeenHold = false;

  constructor({ deps, job, durable, desktop, plan, left }: InvocationOptions) {
    this.deps = deps;
    this.job = job;
    this.durable = durable;
    this.times = new StepTimes(deps.clock);
    this.desktop = timedDesktop(desktop, this.times);
    this.plan = plan;
    this.#saved = new Map(left?.saved.map(({ name, value }) => [name, value]));
    this.#trail = left?.lastStep?.trail ?? noTrail;
    this.#pictureKey = left?.lastStep?.pictureKey ?? null;
    this.#isContinuation = left === undefined;
  }

  /** The previous step's continuation, decision and missed piece do not carry over. */
  get trail(): StepTrail {
    const { next: _next, decided: _decided, missed: _missed, ...trail } = this.#trail;
    return trail;
  }

  get screen(): Screen | undefined {
    return this.#screen;
  }

  get pictureKey(): string | null {
    return this.#pictureKey;
  }

  /** Leading the desktop back has a time of its own. */
  get endsAtMs(): number {
    return this.#leavesUntilMs ?? this.plan.endsAtMs;
  }

  get saved(): ReadonlyMap<string, Json> {
    return this.#saved;
  }

  beginStep(
    cursor: Cursor,
    { failures, hasWaited }: { readonly failures: number; readonly hasWaited: boolean },
  ) {
    this.times.begin();
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

  startAnew(): void {
    this.#trail = freshTrail(this.#trail);
  }

  goOnFrom({ trail }: Pick<RunStep, "trail">): void {
    this.#trail = trail;
  }

  goOnWithin({ trail, pictureKey }: Pick<RunStep, "trail" | "pictureKey">): void {
    this.#trail = trail;
    this.#screen = undefined;
    this.#pictureKey = pictureKey;
  }

  see(look: Look | undefined): Screen | undefined {
    this.#screen = look && new Screen(this.deps.pictures, look);
    this.#hasSeenHold ||= look?.isHeld === true;
    return this.#screen;
  }

  async look(): Promise<Screen | undefined> {
    return this.see(await this.desktop.look(settleMs));
  }

  async lastScreen(): Promise<Screen | undefined> {
    return this.#screen ?? (await this.look());
  }

  forgetScreen(): void {
    this.#screen = undefined;
  }

  /** Secrets are painted over. Where the workflow keeps no pictures, one serves the next step and is then replaced. */
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
   * The step that ended a function is the first of the next invocation, so a step that follows another needs no write.
   * A run ends if a step has ended its function too often; tries that returned an error do not count.
   */
  async countTry(
    { index }: Pick<Cursor, "index">,
    what: string,
  ): Promise<StepUnderWay | { readonly kind: "over"; readonly end: Failure }> {
    const isFirst = this.#isContinuation && this.#failures === 0;
    const under: StepUnderWay = isFirst
      ? { kind: "fresh", tries: 0 }
      : await this.deps.executions.countTry({ ...this.job, index });
    if (under.kind === "recorded" && under.step.source === "person") throw new RunHeld();
    this.#tries = under.tries;
    // Without a wait in between, the previous invocation was ended.
    const tries = under.tries + (isFirst || this.#hasWaited ? 0 : 1);
    if (tries - this.#failures <= triesMax) return { ...under, tries };
    const error = `step ${index} (${what}) ended its function ${triesMax} times`;
    return { kind: "over", end: failure("step_keeps_failing", error) };
  }

  async releaseTry({ index }: Pick<Cursor, "index">): Promise<void> {
    if (this.#tries === 0) return;
    await this.deps.executions.releaseTry({ ...this.job, index });
    this.#tries = 0;
  }

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

  async record(step: RunStep, saved?: SavedValue): Promise<boolean> {
    this.#trail = step.trail;
    if (!(await this.deps.executions.recordStep(step, saved))) return false;
    if (saved) this.#saved.set(saved.name, saved.value);
    return true;
  }

  /**
   * A recent intent proves ownership; a loss since then costs one call of a model at most. A look while the run is held
   * may show what a person does, so no model is shown it. @throws {RunHeld}
   */
  async isOurs(withinMs: number): Promise<boolean> {
    const { deps, job, durable } = this;
    if (deps.clock.now() - this.#oursAtMs < withinMs && !this.#hasSeenHold) return true;
    const execution = await deps.executions.find(job.organizationId, job.runId);
    const isOurs = execution?.assignmentId === job.assignmentId && execution.arn === durable.arn;
    if (isOurs && execution.held !== null) throw new RunHeld();
    return isOurs;
  }

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

  /** Secrets become `{$alias}`. A text that names a missing value stays as it is. */
  filled(text: string): string {
    const { inputValues: inputs, aliases } = this.plan;
    const filled = fillIn(text, { inputs, saved: this.#saved, aliases: new Set(aliases) });
    return filled.kind === "filled" ? filled.shown : text;
  }

  async withoutSecrets(text: string): Promise<string> {
    return redact(text, await this.secrets());
  }
}
