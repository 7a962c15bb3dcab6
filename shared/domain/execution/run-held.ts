/** A person, or a model that asks for one, holds the run: the executor stops before what it was about to do. */
export class RunHeld extends Error {
  constructor() {
    super("the run is held");
    this.name = "RunHeld";
  }
}
