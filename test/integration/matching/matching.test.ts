import { useTable } from "../../support/dynamo-stores.ts";
import { matchIdleSuite } from "../../support/matching/match-idle.suite.ts";
import { matchRacesSuite } from "../../support/matching/match-races.suite.ts";
import { matchingSuite } from "../../support/matching/matching.suite.ts";

const table = useTable();

matchIdleSuite(table);
matchingSuite(table);
matchRacesSuite(table);
