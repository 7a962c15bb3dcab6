import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Files share a worker and the modules that it has loaded, which saves most of their time; so a test must leave nothing
 * behind. What vitest has changed for it is put back, and `npm run unit` takes files and tests in any order.
 */
const together = {
  isolate: false,
  pool: "threads" as const,
  restoreMocks: true,
  unstubGlobals: true,
  setupFiles: ["test/support/leave-nothing.ts"],
};

const root = fileURLToPath(new URL("..", import.meta.url));

const withStack = {
  globalSetup: ["test/support/stack/stack-setup.ts"],
  testTimeout: 300_000,
  isolate: false,
};

/** Tests that start programs and displays of their own, which their process ends, or replace a module. */
const apart = ["test/integration/driver/**/*.test.ts", "test/integration/infra/bundled-once.test.ts"];
const longer = { testTimeout: 180_000 };

/**
 * One project per kind of test; `npm run unit` runs the first two, `npm run stacks` and `npm run executions` one each,
 * `npm test` all of them.
 */
export default defineConfig({
  root,
  test: {
    root,
    environment: "node",
    // The default leaves a processor to the main process, which has little to do.
    maxWorkers: availableParallelism(),
    // Limits are for what hangs, and not for what is slow: a machine three times slower than ours has to pass, too.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { ...together, name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 90_000 },
      },
      {
        extends: true,
        test: { ...together, name: "contract", include: ["test/contract/**/*.test.ts"], testTimeout: 90_000 },
      },
      {
        extends: true,
        test: { ...together, name: "stacks", include: ["test/stacks/**/*.test.ts"], testTimeout: 180_000 },
      },
      {
        extends: true,
        test: { ...together, name: "execution", include: ["test/execution/*.test.ts"], testTimeout: 300_000 },
      },
      {
        extends: true,
        test: { name: "simulation", include: ["test/simulation/**/*.test.ts"], testTimeout: 1_800_000 },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: apart,
          globalSetup: ["test/support/dynamodb-local-setup.ts"],
          isolate: false,
          ...longer,
        },
      },
      { extends: true, test: { name: "driver", include: apart, ...longer } },
      {
        extends: true,
        test: { ...withStack, name: "e2e", include: ["test/e2e/*.test.ts", "test/e2e/console/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          ...withStack,
          name: "e2e-alone",
          include: ["test/e2e/alone/*.test.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...withStack,
          name: "e2e-grants",
          include: ["test/e2e/grants/*.test.ts"],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
