"""The same evaluation on Spark data frames: scores to the last bit, with nothing but means on the driver."""

from cranfield.spark.evaluation import evaluate as evaluate
from cranfield.spark.spark_scores import SparkScores as SparkScores

__all__ = ["SparkScores", "evaluate"]
