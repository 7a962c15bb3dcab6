import { jsonAnswer } from "../../../infra/driver/answer.ts";
import type { Answer, Desktop, DesktopRequest } from "../../../infra/driver/desktop.ts";

export class HeldDesktop implements Desktop {
  readonly osInfo = "held desktop";
  readonly capabilities: readonly string[] = ["/computer/held"];
  readonly programs: readonly string[] = [];
  readonly requests: DesktopRequest[] = [];
  releases = 0;
  readonly #waiting: ((answer: Answer) => void)[] = [];
  /** Answers at once instead of waiting. */
  reply: ((request: DesktopRequest) => Answer | Promise<Answer>) | undefined;

  async handle(request: DesktopRequest): Promise<Answer> {
    this.requests.push(request);
    if (this.reply !== undefined) return await this.reply(request);
    return await new Promise((resolve) => this.#waiting.push(resolve));
  }

  async releaseHeld(): Promise<void> {
    this.releases += 1;
  }

  release(): void {
    this.#waiting.shift()?.(jsonAnswer(200, { done: true }));
  }
}
