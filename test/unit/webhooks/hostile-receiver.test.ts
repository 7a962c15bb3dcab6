import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import type { SendOutcome } from "../../../shared/domain/webhook/delivery/webhook-sender.ts";
import { HttpWebhookSender } from "../../../shared/webhooks/http-webhook-sender.ts";
import { mintSigningSecret } from "../../../shared/webhooks/sign.ts";
import { type HostileBehaviour, startHostileServer } from "../../support/hostile-server.ts";

const secrets = [mintSigningSecret()];
const testBytes = 1_024;
const mebibyte = 1_048_576;

const timedOut = { statusCode: null, error: "timeout", responseBody: "" };
const broken = { statusCode: null, error: "connection_failed", responseBody: "" };
const redirected = (statusCode: number) => ({ statusCode, error: null, responseBody: "" });
const answered = (responseBody: unknown) => ({ statusCode: 200, error: null, responseBody });

/** What is recorded of a test, which reads a body's beginning. Of a delivery it is the same without the body. */
const recorded: Readonly<Record<HostileBehaviour, unknown>> = {
  "never answers": timedOut,
  "hangs up at once": broken,
  "drips its headers": timedOut,
  "drips its body": answered(expect.stringMatching(/^"x*$/)),
  "closes in the middle of its headers": broken,
  "closes in the middle of its body": answered('{"a":"b'),
  "closes in the middle of a chunk": answered('{"a":"b'),
  "redirects for the same method": redirected(307),
  "redirects for good": redirected(301),
  "sends less than its length": answered("{}"),
  "sends more than its length": answered(expect.stringMatching(/^(\{\})?$/)),
  "has a length that is no number": broken,
  "sends a body without end": answered("x".repeat(testBytes)),
  "sends headers without end": broken,
  "sends a gigabyte compressed": answered(expect.any(String)),
  "sends garbage for JSON": answered(expect.stringContaining("not JSON")),
  "sends JSON of another shape": answered(expect.any(String)),
  "sends JSON a hundred thousand deep": answered('{"a":'.repeat(testBytes).slice(0, testBytes)),
  "sends interim responses without end": timedOut,
  "does not speak HTTP": broken,
};

function send(url: string, keptBytes: number): Promise<SendOutcome> {
  const sender = new HttpWebhookSender({
    clock: { now: () => Date.now() },
    allowsLoopback: true,
    timeoutMs: 300,
    bodyTimeoutMs: 60,
  });
  return sender.send({ url, id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", body: "{}", secrets, keptBytes });
}

describe.each(Object.entries(recorded))("a receiver that %s", (behaviour, expected) => {
  it("is recorded as what it did, is left, and keeps no other from its event", async () => {
    const peer = await startHostileServer(behaviour as HostileBehaviour);
    const good = await listenOnLoopback(
      createServer((_, response) => response.writeHead(204).end()),
      0,
    );
    onTestFinished(good.stop);
    const [tested, delivered, other] = await Promise.all([
      send(`${peer.url}/hook`, testBytes),
      send(`${peer.url}/hook`, 0),
      send(good.url, 0),
    ]);
    expect(tested).toMatchObject(expected as object);
    expect(tested.responseBody.length).toBeLessThanOrEqual(testBytes);
    const { statusCode, error } = tested;
    expect(delivered).toMatchObject({ statusCode, error, responseBody: "" });
    expect(other).toMatchObject({ statusCode: 204, error: null });
    expect([peer.asked(), peer.strayed()]).toEqual([2, ""]);
    await vi.waitFor(() => expect(peer.open()).toBe(0), { timeout: 10_000 });
    expect(peer.sentBytes()).toBeLessThan(32 * mebibyte);
  });
});
