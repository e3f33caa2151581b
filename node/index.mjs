import carronade from './index.js'

export default carronade
export { carronade }
export const { track, printResult, aggregateResult, parseArguments, start } = carronade
