import loadtest from './loadtest.js'

export default loadtest
export const { loadTest, startServer } = loadtest
