"""Write operations. Each takes keyword arguments and `now=`; views, tasks and commands call one of them."""
