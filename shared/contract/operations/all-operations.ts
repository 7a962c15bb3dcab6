import { computerOperations } from "./computer-operations.ts";
import { connectionOperations } from "./connection-operations.ts";
import { docsOperations } from "./docs-operations.ts";
import { driverOperations } from "./driver-operations.ts";
import { healthOperations } from "./health-operations.ts";
import { machineOperations } from "./machine-operations.ts";
import { poolOperations } from "./pool-operations.ts";
import { providerCredentialOperations } from "./provider-credential-operations.ts";

/** Every operation of the API: exactly the routes of the apps, which `test/unit/openapi` compares. */
export const allOperations = [
  ...healthOperations,
  ...machineOperations,
  ...poolOperations,
  ...computerOperations,
  ...connectionOperations,
  ...providerCredentialOperations,
  ...driverOperations,
  ...docsOperations,
] as const;
