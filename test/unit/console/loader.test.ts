import { describe, expect, it } from "vitest";
import { type Loaded, Loader } from "../../../functions/console/page/data/loader.ts";

function loading() {
  const states: Loaded<{ n: number }>[] = [];
  const asked: PromiseWithResolvers<{ n: number }>[] = [];
  const signals: AbortSignal[] = [];
  const loader = new Loader(
    (signal) => {
      signals.push(signal);
      const next = Promise.withResolvers<{ n: number }>();
      asked.push(next);
      return next.promise;
    },
    (state) => states.push(state),
  );
  return { loader, states, asked, signals };
}

describe("the loader of a page's data", () => {
  it("asks once more for all that was asked for meanwhile", async () => {
    const { loader, states, asked } = loading();
    const whole = loader.reload();
    void loader.reload();
    void loader.reload();
    asked[0]?.resolve({ n: 1 });
    await Promise.resolve();
    await new Promise(setImmediate);
    asked[1]?.resolve({ n: 2 });
    await whole;
    expect(asked.length).toBe(2);
    expect(states.at(-1)).toEqual({ data: { n: 2 }, error: undefined, isLoading: false });
  });

  it("keeps the same object when nothing has changed, and the data when it fails", async () => {
    const { loader, states, asked } = loading();
    const read = async (settle: (next: PromiseWithResolvers<{ n: number }> | undefined) => void) => {
      const whole = loader.reload();
      settle(asked.at(-1));
      await whole;
      return states.at(-1);
    };
    const first = await read((next) => next?.resolve({ n: 1 }));
    const second = await read((next) => next?.resolve({ n: 1 }));
    expect(second?.data).toBe(first?.data);
    const failure = new Error("away");
    expect(await read((next) => next?.reject(failure))).toEqual({
      data: { n: 1 },
      error: failure,
      isLoading: false,
    });
    expect((await read((next) => next?.resolve({ n: 2 })))?.error).toBeUndefined();
  });

  it("aborts what is under way when it is stopped, and says nothing more", async () => {
    const { loader, states, asked, signals } = loading();
    const whole = loader.reload();
    loader.stop();
    expect(signals[0]?.aborted).toBe(true);
    asked[0]?.reject(new Error("aborted"));
    await whole;
    expect(states).toEqual([]);
  });
});
