import { useTable } from "../../support/dynamo-stores.ts";
import { matchIdleSuite } from "../../support/matching/match-idle.suite.ts";
import { matchRacesSuite } from "../../support/matching/match-races.suite.ts";
import { matchingSuite } from "../../support/matching/matching.suite.ts";

const table = useTable();

// More than a batch or a round of the matcher; the thousand are on the model.
const many = 150;
matchIdleSuite(table, { many });
matchingSuite(table, { many });
matchRacesSuite(table);
