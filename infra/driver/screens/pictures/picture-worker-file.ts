import { fileURLToPath } from "node:url";

/** The program of the encoder's thread; the bundler puts it beside each bundle that starts one. */
export const pictureWorkerFile = fileURLToPath(new URL("./picture-worker.ts", import.meta.url));
