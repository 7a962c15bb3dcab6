import type { Context } from "../../program/context.ts";

export interface Forwarded {
  /** The status of the response; null where there was none. */
  readonly status: number | null;
  readonly error: string | null;
}

export type Forward = (event: { readonly id: string; readonly body: string }) => Promise<Forwarded>;

/** As long as the service waits for a receiver. */
const timeoutMs = 15_000;

/** Posts what the service would post: the same bytes under the same headers, signed now. */
export async function forwarderOf(
  { fetch, signal, terminal }: Pick<Context, "fetch" | "signal" | "terminal">,
  address: URL,
  secret: string,
): Promise<Forward> {
  const { Webhook } = await import("standardwebhooks");
  const webhook = new Webhook(secret);
  return async ({ id, body }) => {
    const at = new Date(terminal.now());
    try {
      const response = await fetch(address, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "user-agent": "desktop-automation-service-webhooks",
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
          "webhook-signature": webhook.sign(id, at, body),
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return { status: response.status, error: null };
    } catch (failure) {
      return { status: null, error: reasonOf(failure) };
    }
  };
}

/** Node's fetch has the reason in the cause of its error. */
function reasonOf(failure: unknown): string {
  const { cause } = failure as { readonly cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? (failure as Error).message;
}
