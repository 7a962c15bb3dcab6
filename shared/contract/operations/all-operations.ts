import { computerOperations } from "./computer-operations.ts";
import { driverOperations } from "./driver-operations.ts";
import { healthOperations } from "./health-operations.ts";
import { machineOperations } from "./machine-operations.ts";

/** Every operation of the API. A test compares them with the apps' routes. */
export const allOperations = [
  ...healthOperations,
  ...driverOperations,
  ...machineOperations,
  ...computerOperations,
] as const;
