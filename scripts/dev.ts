// `node --watch` makes every thread report its imports over the port that the store thread answers on.
delete process.env.WATCH_REPORT_DEPENDENCIES;
