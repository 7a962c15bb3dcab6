import { describe, expect, it } from "vitest";
import { LiveChannel, type LiveSocket, type LiveState } from "../../../shared/client/live-channel.ts";

const run = "01a2008d-7400-7000-8000-000000000001";
const machine = "01a2008d-7400-7000-8000-000000000009";

/** Timers that a test moves, sockets that it opens and closes, tickets that it refuses. */
function world() {
  let nowMs = 0;
  let timers: { atMs: number; callback: () => void }[] = [];
  const sockets: (LiveSocket & { readonly sent: string[]; isClosed: boolean })[] = [];
  const states: LiveState[] = [];
  const tickets = { isRefused: false, asked: 0 };
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const channel = new LiveChannel({
    openTicket: async () => {
      tickets.asked += 1;
      if (tickets.isRefused) throw new Error("refused");
      return `wss://tunnel.test?ticket=${tickets.asked}`;
    },
    openSocket: () => {
      const socket = {
        sent: [] as string[],
        isClosed: false,
        send: (text: string) => void socket.sent.push(text),
        close: () => {
          socket.isClosed = true;
        },
        onopen: null,
        onmessage: null,
        onclose: null,
      };
      sockets.push(socket);
      return socket;
    },
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    random: () => 1,
    onState: (state) => states.push(state),
  });
  const pass = async (ms: number) => {
    const endMs = nowMs + ms;
    for (;;) {
      const [next] = timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      nowMs = next.atMs;
      timers = timers.filter((each) => each !== next);
      next.callback();
      await settle();
    }
    nowMs = endMs;
  };
  const receive = (message: object) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify(message) });
  return { channel, sockets, states, tickets, pass, receive, timersLeft: () => timers.length };
}

describe("the console's live channel", () => {
  it("opens one socket for all parts, and watches the topics of all of them", async () => {
    const { channel, sockets, states, tickets, pass } = world();
    channel.watch(["runs"], () => {});
    channel.watch(["machines", "runs"], () => {});
    await pass(100);
    sockets[0]?.onopen?.();
    expect([tickets.asked, sockets.length, states.at(-1)]).toEqual([1, 1, "live"]);
    expect(sockets[0]?.sent).toEqual(['{"type":"watch","topics":["machines","runs"]}']);
    const stop = channel.watch([`run:${run}`, "run:what somebody wrote into the address"], () => {});
    await pass(100);
    expect(sockets[0]?.sent.at(-1)).toBe(`{"type":"watch","topics":["machines","run:${run}","runs"]}`);
    stop();
    await pass(100);
    expect(sockets[0]?.sent.at(-1)).toBe('{"type":"watch","topics":["machines","runs"]}');
  });

  it("gives a hint to those who watch its topic, and what may be missed to all", async () => {
    const { channel, sockets, pass, receive } = world();
    const got: [string, string | undefined][] = [];
    channel.watch(["runs"], (hint) => got.push(["runs", hint?.type]));
    channel.watch([`run:${run}`], (hint) => got.push(["run", hint?.type]));
    channel.watch([`machine:${machine}`], (hint) => got.push(["machine", hint?.type]));
    await pass(100);
    sockets[0]?.onopen?.();
    receive({ type: "run.changed", run_id: run, revision: 2 });
    expect(got.splice(0)).toEqual([
      ["runs", "run.changed"],
      ["run", "run.changed"],
    ]);
    receive({ type: "step.recorded", run_id: run, index: 2 });
    receive({ type: "machine.changed", machine_id: run });
    receive({ type: "unknown of a later release" });
    sockets[0]?.onmessage?.({ data: "no JSON" });
    expect(got.splice(0)).toEqual([["run", "step.recorded"]]);
    receive({ type: "missed" });
    expect(got.map(([part, hint]) => [part, hint])).toEqual([
      ["runs", undefined],
      ["run", undefined],
      ["machine", undefined],
    ]);
  });

  it("reads every 5 s while the service refuses a ticket, and asks for one with growing pauses", async () => {
    const { channel, states, tickets, pass, sockets } = world();
    let reads = 0;
    tickets.isRefused = true;
    channel.watch(["runs"], () => {
      reads += 1;
    });
    await pass(60_000);
    expect(states.at(-1)).toBe("polling");
    expect(reads).toBe(11);
    expect(tickets.asked).toBe(7);
    tickets.isRefused = false;
    await pass(30_000);
    sockets[0]?.onopen?.();
    const before = reads;
    await pass(60_000);
    expect([states.at(-1), reads]).toEqual(["live", before]);
  });

  it("opens another socket when one is lost, with a fresh ticket, and reads what it has missed", async () => {
    const { channel, sockets, tickets, pass, receive } = world();
    let reads = 0;
    channel.watch(["runs"], () => {
      reads += 1;
    });
    await pass(100);
    sockets[0]?.onopen?.();
    sockets[0]?.onclose?.();
    await pass(1_000);
    sockets[1]?.onopen?.();
    expect([tickets.asked, sockets.length, reads]).toEqual([2, 2, 0]);
    receive({ type: "watching", topics: ["runs"] });
    expect(reads).toBe(1);
  });

  it("closes its socket when nothing is watched, or it is stopped, and leaves no timer", async () => {
    const { channel, sockets, pass, states, timersLeft } = world();
    const stop = channel.watch(["runs"], () => {});
    await pass(100);
    sockets[0]?.onopen?.();
    stop();
    await pass(100);
    expect([sockets[0]?.isClosed, states.at(-1), timersLeft()]).toEqual([true, "idle", 0]);
    channel.watch(["runs"], () => {});
    await pass(100);
    sockets[1]?.onopen?.();
    channel.stop();
    sockets[1]?.onclose?.();
    await pass(100_000);
    expect([sockets.length, sockets[1]?.isClosed, timersLeft()]).toEqual([2, true, 0]);
  });

  it("closes a socket that still connects once it is open, since browsers complain of it before", async () => {
    const { channel, sockets, pass } = world();
    channel.watch([`run:${run}`], () => {});
    await pass(100);
    channel.stop();
    expect(sockets[0]?.isClosed).toBe(false);
    sockets[0]?.onopen?.();
    expect([sockets[0]?.isClosed, sockets[0]?.sent]).toEqual([true, []]);
  });

  it("pings a connection that is silent", async () => {
    const { channel, sockets, pass } = world();
    channel.watch(["runs"], () => {});
    await pass(100);
    sockets[0]?.onopen?.();
    await pass(500_000);
    expect(sockets[0]?.sent.filter((text) => text === '{"type":"ping"}')).toHaveLength(2);
  });
});
