import { type DeployOptions, prepareDeploy } from './prepare.ts';
import { type DeployReport, type RunOptions, runDeploy } from './run.ts';

/** Deploys a folder without showing the plan first. Throws what `prepareDeploy` and `runDeploy` throw. */
export const deployFolder = async (options: DeployOptions & RunOptions): Promise<DeployReport> =>
  runDeploy(await prepareDeploy(options), options);
