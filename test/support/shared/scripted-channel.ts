import type {
  DriverAnswer,
  DriverChannel,
  DriverRequest,
} from "../../../shared/domain/tunnel/driver-channel.ts";

export class ScriptedChannel implements DriverChannel {
  readonly requests: DriverRequest[] = [];
  readonly #answers: DriverAnswer[] = [];

  willAnswer(...answers: readonly DriverAnswer[]): void {
    this.#answers.push(...answers);
  }

  async request(request: DriverRequest): Promise<DriverAnswer> {
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`no answer is prepared for ${request.method} ${request.path}`);
    return answer;
  }
}

export function answered(status: number, json: unknown): DriverAnswer {
  const body = new TextEncoder().encode(JSON.stringify(json));
  return { kind: "answered", status, headers: { "content-type": "application/json" }, body };
}
