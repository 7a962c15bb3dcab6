import { afterAll, afterEach, expect, vi } from "vitest";

const environment = { ...process.env };
const folder = process.cwd();

afterEach(() => {
  vi.useRealTimers();
  // Vitest's own setting does it before each test: the last one of a file would leave its variables.
  vi.unstubAllEnvs();
});

afterAll(() => {
  expect({ environment: process.env, folder: process.cwd() }).toEqual({ environment, folder });
});
