import { inMemoryStores } from "../../../support/fakes/in-memory-stores.ts";
import { inputSourceStoreSuite } from "../../../support/ports/input-source-store.suite.ts";

inputSourceStoreSuite(() => {
  const { inputSources, workflows, machines, pools } = inMemoryStores();
  return {
    inputSources,
    put: async (entity) => {
      if ("workflow" in entity) workflows.write(entity.workflow);
      else if ("machine" in entity) machines.write(entity.machine);
      else pools.write(entity.pool);
    },
  };
});
