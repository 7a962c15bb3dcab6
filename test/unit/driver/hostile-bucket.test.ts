import { describe, expect, it } from "vitest";
import { Refusal } from "../../../infra/driver/answer.ts";
import { openDownload, upload } from "../../../infra/driver/tunnel/transfer.ts";
import { TransferFailed, TransferRules } from "../../../infra/driver/tunnel/transfer-rules.ts";
import {
  allHostile,
  type Behave,
  type HostileBehaviour,
  startHostileServer,
} from "../../support/hostile-server.ts";

const endless =
  (status: number): Behave =>
  (socket) => {
    socket.write(`HTTP/1.1 ${status} As Said\r\ntransfer-encoding: chunked\r\n\r\n`);
    const timer = setInterval(() => socket.write("1\r\nx\r\n"), 5);
    socket.on("close", () => clearInterval(timer));
  };

const transferTo = async (behaviour: HostileBehaviour | Behave) => {
  const peer = await startHostileServer(behaviour);
  const rules = new TransferRules("127.0.0.1");
  rules.pin([new URL(peer.url).host]);
  const place = { url: `${peer.url}/object?signature=secret`, headers: {} };
  return { peer, rules, place, signal: AbortSignal.timeout(150) };
};

const outcomeOf = async (transfer: Promise<unknown>) =>
  await transfer.then(
    () => "done",
    (error: unknown) => (error instanceof TransferFailed || error instanceof Refusal ? "failed" : error),
  );

/** The status of an upload is enough. */
const stored: readonly HostileBehaviour[] = allHostile.filter(
  (behaviour) => /body|chunk|length|compressed|garbage|JSON/.test(behaviour) && !/no number/.test(behaviour),
);

describe("an upload of a driver", () => {
  it.each(allHostile)(
    "ends in its time where the bucket %s, and its address goes nowhere else",
    async (behaviour) => {
      const { peer, rules, place, signal } = await transferTo(behaviour);
      const outcome = await outcomeOf(upload(place, new Uint8Array(100), undefined, rules, signal));
      expect(outcome).toBe(stored.includes(behaviour) ? "done" : "failed");
      expect(peer.strayed()).toBe("");
      await expect.poll(() => peer.sentBytes()).toBeLessThan(32_000_000);
    },
  );
});

describe("a download of a driver", () => {
  const read = async (opening: ReturnType<typeof openDownload>) => {
    const { stream } = await opening;
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length;
    return bytes;
  };

  it.each(allHostile)(
    "ends in its time where the bucket %s, and its address goes nowhere else",
    async (behaviour) => {
      const { peer, rules, place, signal } = await transferTo(behaviour);
      const error = await read(openDownload(place, rules, signal)).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      if (error !== undefined) expect(String(error)).not.toContain("signature");
      expect(peer.strayed()).toBe("");
    },
  );
});

describe("a response that is not read", () => {
  it.each([200, 412, 503])("is ended by an upload, though it goes on: %i", async (status) => {
    const { peer, rules, place } = await transferTo(endless(status));
    await outcomeOf(upload(place, new Uint8Array(100), undefined, rules, new AbortController().signal));
    await expect.poll(() => peer.sentBytes()).toBeGreaterThan(0);
  });

  it("is ended by a download that is refused, though it goes on", async () => {
    const { peer, rules, place } = await transferTo(endless(404));
    expect(await outcomeOf(openDownload(place, rules, new AbortController().signal))).toBe("failed");
    await expect.poll(() => peer.sentBytes()).toBeGreaterThan(0);
  });
});
