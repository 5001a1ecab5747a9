"""What people see of results: tables and answers, in every form they ask for."""
