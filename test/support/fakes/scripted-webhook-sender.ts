import type {
  SendOutcome,
  SendRequest,
  WebhookSender,
} from "../../../shared/domain/webhook/delivery/webhook-sender.ts";
import { HttpWebhookSender } from "../../../shared/webhooks/http-webhook-sender.ts";
import type { FakeClock } from "./fake-clock.ts";

export class ScriptedWebhookSender implements WebhookSender {
  readonly sent: SendRequest[] = [];
  readonly #real: HttpWebhookSender;
  outcome: Partial<SendOutcome> = {};

  constructor(clock: FakeClock) {
    this.#real = new HttpWebhookSender({ clock });
  }

  refusalOf(url: string): string | undefined {
    return this.#real.refusalOf(url);
  }

  async send(request: SendRequest): Promise<SendOutcome> {
    this.sent.push(request);
    return { statusCode: 204, error: null, durationMs: 12, responseBody: "", ...this.outcome };
  }
}
