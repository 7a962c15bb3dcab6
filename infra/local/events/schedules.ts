import { randomUUID } from "node:crypto";
import { localAccount, localArn, localRegion } from "../aws/local-account.ts";
import type { InvokeResult } from "../lambda/invoke-result.ts";
import type { ScheduleModel } from "../template/application.ts";

const msOfUnit: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * @returns milliseconds, or undefined unless the expression is a rate.
 *
 * Source: https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseRate(expression: string): number | undefined {
  const [, value, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = msOfUnit[unit ?? ""];
  return value === undefined || unitMs === undefined ? undefined : Number(value) * unitMs;
}

export type SchedulesInput = {
  readonly schedules: readonly ScheduleModel[];
  readonly invokeAsync: (functionAddress: string, event: unknown) => Promise<unknown>;
  readonly invoke: (functionAddress: string, event: unknown) => Promise<InvokeResult>;
  readonly report: (problem: string) => void;
};

export class Schedules {
  readonly #input: SchedulesInput;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(input: SchedulesInput) {
    this.#input = input;
  }

  /** Every schedule first runs after one interval, as on AWS. */
  start(): void {
    for (const schedule of this.#input.schedules) {
      const intervalMs = parseRate(schedule.expression);
      if (intervalMs === undefined) {
        this.#input.report(
          `${schedule.address} has ${schedule.expression}; the local stack only keeps rate(…)`,
        );
        continue;
      }
      if (!schedule.enabled) continue;
      const fire = (): void => void this.#input.invokeAsync(schedule.functionAddress, eventOf(schedule));
      this.#timers.push(setInterval(fire, intervalMs).unref());
    }
  }

  list(): readonly ScheduleModel[] {
    return this.#input.schedules;
  }

  async fire(schedule: ScheduleModel): Promise<InvokeResult> {
    return await this.#input.invoke(schedule.functionAddress, eventOf(schedule));
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }
}

function eventOf(schedule: ScheduleModel): unknown {
  if (schedule.input !== undefined) return schedule.input;
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account: localAccount,
    time: `${new Date().toISOString().slice(0, 19)}Z`,
    region: localRegion,
    resources: [localArn("events", `rule/${schedule.name}`)],
    detail: {},
  };
}
