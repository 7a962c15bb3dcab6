import { type Deployed, deployment } from "./deployed.ts";
import { productLines } from "./log-lines.ts";
import type { Sample } from "./metrics.ts";

export interface Cause {
  readonly happens: string;
  /** The heading of the runbook that says what to do about it; null where nobody is to be woken. */
  readonly heading: string | null;
  /** The subjects of the alarms that ring. @default the alarm without one */
  readonly subjects?: readonly string[];
  /** These are emitted each minute while it lasts. */
  readonly samples?: readonly Sample[];
  /** Samples a minute. @default 1 */
  readonly times?: number;
  /** The minutes from one time to the next. @default 1 */
  readonly every?: number;
  /** A healthy deployment emits these, and this one does not. */
  readonly silences?: readonly Sample[];
  /** @default until the end */
  readonly lastsMinutes?: number;
  /** @default after hours without any cause */
  readonly fromMinute?: number;
}

/** It has been so for longer than any alarm reads back. */
export const forHours = { fromMinute: 0 };

/** The causes emit by these: lines of the product's own code, and metrics of AWS. */
export function sourcesOf(deployed: Deployed) {
  const product = productLines(deployment);
  const line =
    (of: string, message: string) =>
    async (fields: Readonly<Record<string, unknown>>): Promise<readonly Sample[]> =>
      deployed.lines(of, await product.line(message, fields));
  return {
    ...deployed,
    http: deployed.api(/^OperationsApi/, "$default"),
    webSocket: deployed.api(/^TunnelApi/, "prod"),
    request: async (fault: Parameters<typeof product.request>[0], name = "machines") =>
      deployed.lines(name, await product.request(fault)),
    modelStep: async (...given: Parameters<typeof product.modelStep>) =>
      deployed.lines("executor", await product.modelStep(...given)),
    fleetFall: async (...given: Parameters<typeof product.fleetFall>) =>
      deployed.lines("sweeper", await product.fleetFall(...given)),
    swept: line("sweeper", "swept"),
    fired: line("scheduler", "schedules fired"),
    assigned: line("matcher", "run assigned"),
    refusedHandshake: line("tunnel", "handshake refused"),
  };
}

export type Sources = ReturnType<typeof sourcesOf>;
