import type { Clock } from "../../clock.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import type { ModelReply } from "../../model/language-models.ts";
import type { ModelChoice } from "../../model/model-choice.ts";

type Waited = "model" | "desktop";

interface Called extends Pick<ModelChoice, "provider" | "model"> {
  readonly outcome: string;
}

/** The time that one step of the engine has waited for others, for its line in the log. */
export class StepTimes {
  readonly #clock: Pick<Clock, "now">;
  #startedMs: number;
  #ms: Record<Waited, number> = { model: 0, desktop: 0 };
  #called: Called | undefined;
  #failures = 0;
  #refusals = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
    this.#startedMs = clock.now();
  }

  begin(): void {
    this.#startedMs = this.#clock.now();
    this.#ms = { model: 0, desktop: 0 };
    this.#called = undefined;
    this.#failures = 0;
    this.#refusals = 0;
  }

  async during<Result>(waited: Waited, call: () => Promise<Result>): Promise<Result> {
    const fromMs = this.#clock.now();
    try {
      return await call();
    } finally {
      this.#ms[waited] += Math.max(0, this.#clock.now() - fromMs);
    }
  }

  async ofModel(
    { provider, model }: Pick<ModelChoice, "provider" | "model">,
    call: () => Promise<ModelReply>,
  ): Promise<ModelReply> {
    const reply = await this.during("model", call);
    const isFailed = reply.kind === "failed";
    this.#called = { provider, model, outcome: isFailed ? reply.reason : reply.kind };
    // Keys and models' names are the organization's own, and no failure of the provider's.
    if (isFailed && isOfProvider[reply.reason]) this.#failures += 1;
    if (reply.kind === "refused") this.#refusals += 1;
    return reply;
  }

  fields() {
    const called = this.#called;
    return {
      duration_ms: Math.max(0, this.#clock.now() - this.#startedMs),
      model_ms: this.#ms.model,
      desktop_ms: this.#ms.desktop,
      ...(called !== undefined && {
        provider: called.provider,
        model: called.model,
        model_outcome: called.outcome,
        model_failures: this.#failures,
        model_refusals: this.#refusals,
      }),
    };
  }
}

const isOfProvider: Readonly<Record<Extract<ModelReply, { readonly kind: "failed" }>["reason"], boolean>> = {
  unavailable: true,
  rejected: true,
  key_invalid: false,
  model_not_found: false,
};

/** Each call's time includes the service's own part of it, such as reading the machine and the mailbox. */
export function timedDesktop(desktop: Desktop, times: StepTimes): Desktop {
  const timed =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> =>
      await times.during("desktop", async () => await call.apply(desktop, args));
  return {
    settled: async () => await desktop.settled(),
    programs: async () => await desktop.programs(),
    act: timed(desktop.act),
    look: timed(desktop.look),
    hasFile: timed(desktop.hasFile),
    putFile: timed(desktop.putFile),
    makeFolder: timed(desktop.makeFolder),
    listFiles: timed(desktop.listFiles),
    takeFile: timed(desktop.takeFile),
    removeFile: timed(desktop.removeFile),
  };
}
