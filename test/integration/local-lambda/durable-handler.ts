import { withDurableExecution } from "@aws/durable-execution-sdk-js";

export interface SampleInput {
  readonly items: number;
}

export const handler = withDurableExecution<SampleInput, object>(async ({ items }, context) => {
  let tries = 0;
  const first = await context.step("first", async () => ({ at: 1 }));
  const retried = await context.step(
    "retried",
    async ({ attempt }) => {
      tries += 1;
      if (attempt < 3) throw new TypeError(`attempt ${attempt}`);
      return attempt;
    },
    { retryStrategy: (_error, attempt) => ({ shouldRetry: attempt < 5, delay: { seconds: 2 } }) },
  );
  await context.wait("pause", { seconds: 90 });
  const failed = await context
    .step("failed", async () => await Promise.reject(new RangeError("for good")), {
      retryStrategy: () => ({ shouldRetry: false }),
    })
    .catch((error: unknown) => String(error));
  const inside = await context.runInChildContext("inside", async (child) => {
    await child.wait("inner pause", { seconds: 5 });
    return await child.step("inner", async () => items);
  });
  const polled = await context.waitForCondition("polled", async (seen: number) => seen + 1, {
    initialState: 0,
    waitStrategy: (seen) =>
      seen < 3 ? { shouldContinue: true, delay: { seconds: 10 } } : { shouldContinue: false },
  });
  const many = await context.map(
    "many",
    Array.from({ length: items }, (_, at) => at),
    async (each, item, index) => await each.step(`item-${index}`, async () => item * 2),
  );
  await context.wait({ seconds: 1 });
  return { first, retried, failed, inside, polled, many: many.getResults(), tries: tries > 0 };
});
