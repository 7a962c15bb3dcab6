import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import type { SendOutcome } from "../../../shared/domain/webhook/delivery/webhook-sender.ts";
import { HttpWebhookSender } from "../../../shared/webhooks/http-webhook-sender.ts";
import { mintSigningSecret } from "../../../shared/webhooks/sign.ts";
import { type Hostility, startHostilePeer } from "../../support/hostile-peer/hostile-peer.ts";

const secrets = [mintSigningSecret()];
const testBytes = 1_024;
const mebibyte = 1_048_576;

const timedOut = { statusCode: null, error: "timeout", responseBody: "" };
const broken = { statusCode: null, error: "connection_failed", responseBody: "" };
const answered = (responseBody: unknown) => ({ statusCode: 200, error: null, responseBody });

/** What is recorded of a test, which reads a body's beginning. Of a delivery it is the same without the body. */
const recorded: Readonly<Record<Hostility, unknown>> = {
  "never answers": timedOut,
  "drips its headers": timedOut,
  "sends headers without end": broken,
  "sends interim responses without end": timedOut,
  "drips its body": answered(expect.stringMatching(/^ +$/)),
  "closes before its answer": broken,
  "closes in the middle of its headers": broken,
  "closes in the middle of its body": answered("{"),
  "redirects to itself": { statusCode: 307, error: null, responseBody: "" },
  "promises more than it sends": answered("{}"),
  "sends more than it promises": answered(expect.stringMatching(/^(\{\})?$/)),
  "answers in no HTTP": broken,
  "sends a body without end": answered("x".repeat(testBytes)),
  "sends gigabytes compressed": answered(expect.any(String)),
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

describe.each(Object.entries(recorded))("a receiver that %s", (hostility, expected) => {
  it("is recorded as what it did, is left, and keeps no other from its event", async () => {
    const peer = await startHostilePeer(hostility as Hostility);
    onTestFinished(peer.stop);
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
    expect(peer.paths).toEqual(["/hook", "/hook"]);
    await vi.waitFor(() => expect(peer.openConnections()).toBe(0), { timeout: 10_000 });
    expect(peer.sentBytes()).toBeLessThan(32 * mebibyte);
  });
});
